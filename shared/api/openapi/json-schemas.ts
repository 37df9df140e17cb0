import * as z from 'zod/mini';
import type { JsonSchema } from './examples.ts';

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Named = Record<string, z.ZodMiniType>;

/** `about` has keywords to add to a schema. */
export function jsonSchemasOf(
  named: Named,
  /** `input` for data that hosts send, `output` for data that the service sends. */
  io: 'input' | 'output',
  about: Map<z.core.$ZodType, object>,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => schemaRef(id).$ref,
    override({ zodSchema, jsonSchema }) {
      giveBounds(zodSchema, jsonSchema);
      // Allows undeclared fields: the service ignores them in requests, and a later version may add fields to
      // responses.
      delete jsonSchema.additionalProperties;
      Object.assign(jsonSchema, about.get(zodSchema));
      // A generated client would fail at a value that is added to an `enum`.
      if ('x-extensible-enum' in jsonSchema) delete jsonSchema.enum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as JsonSchema]),
  );
}

/** Adds the minimum of a custom check to an integer's JSON Schema, because zod omits this minimum. */
function giveBounds(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema) {
  if (jsonSchema.type !== 'integer') return;
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { params } = check._zod.def as { params?: { minimum?: number } };
    if (params?.minimum !== undefined) jsonSchema.minimum = params.minimum;
  }
}

/** Moves a default into the description: generated clients would send it, overruling the body, or require its field. */
export function withDefaultInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  const inWords = value === '' ? 'empty' : typeof value === 'string' ? `\`${value}\`` : String(value);
  return { ...schema, description: [schema.description, `Default: ${inWords}`].filter(Boolean).join('. ') };
}
