import * as z from 'zod/mini';
import type { JsonSchema } from './examples.ts';

/** Returns a reference to a named schema. */
export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Named = Record<string, z.ZodMiniType>;

/**
 * Returns the JSON Schemas of named zod schemas, with references by name. `input` describes data before
 * parsing, which hosts send, and `output` data after parsing, which the service sends. `about` has the
 * descriptions.
 */
export function jsonSchemasOf(
  named: Named,
  io: 'input' | 'output',
  about: Map<z.core.$ZodType, object>,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => refTo(id).$ref,
    override({ zodSchema, jsonSchema }) {
      giveBounds(zodSchema, jsonSchema);
      // Undeclared fields are ignored in requests, and a later version may add some to answers.
      delete jsonSchema.additionalProperties;
      Object.assign(jsonSchema, about.get(zodSchema));
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as JsonSchema]),
  );
}

/**
 * Adds the bounds that zod does not export because they are custom checks. Removes the bounds of safe
 * integers, which zod adds to every integer.
 */
function giveBounds(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema) {
  if (jsonSchema.type !== 'integer') return;
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { params } = check._zod.def as { params?: { minimum?: number } };
    if (params?.minimum !== undefined) jsonSchema.minimum = params.minimum;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
