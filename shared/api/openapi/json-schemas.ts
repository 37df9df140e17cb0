import * as z from 'zod/mini';
import type { JsonSchema } from './examples.ts';

/** Where a named schema stands in the document. */
export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Named = Record<string, z.ZodMiniType>;

/**
 * The JSON Schemas of named schemas, which refer to each other by their names: as they are sent by a host (`input`) or
 * by the service (`output`). `about` is what is said of some beyond what they check.
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
      // What is not declared is ignored when it comes in, and may come out of a later version.
      delete jsonSchema.additionalProperties;
      Object.assign(jsonSchema, about.get(zodSchema));
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as JsonSchema]),
  );
}

/** A bound with a message of its own is none that zod would tell; that integers are exact, nobody has to be told. */
function giveBounds(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema) {
  if (jsonSchema.type !== 'integer') return;
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { params } = check._zod.def as { params?: { minimum?: number } };
    if (params?.minimum !== undefined) jsonSchema.minimum = params.minimum;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
