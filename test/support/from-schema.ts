import fc from 'fast-check';
import { faultsOf, resolved } from './document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema of the document
type Schema = any;

/** Generates random values that are valid for a schema of the OpenAPI document. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  const { type, format, pattern, anyOf, ...rest } = resolved(schema);
  if (rest.const !== undefined) return fc.constant(rest.const);
  const values = rest.enum ?? rest['x-extensible-enum'];
  if (values) return fc.constantFrom(...values);
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (pattern) return timestamp(pattern);
  if (anyOf)
    return fc.oneof(valid({ ...rest, type }), ...matching(anyOf)).filter((text) => !faultsOf(schema, text));
  if (type === 'array') return fc.array(valid(rest.items), { maxLength: 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return integer(rest.minimum, rest.maximum);
  if (type === 'string') return string(rest.minLength ?? 0, rest.maxLength ?? 40);
  if (type !== 'object') throw new Error(`no values for ${JSON.stringify(schema)}`);
  return object(rest.properties ?? {}, rest.required ?? []);
}

/** Excludes the first and last supported days, because a UTC offset could move a time out of the supported range. */
const timestamp = (pattern: string) =>
  fc.stringMatching(new RegExp(pattern)).filter((text) => !/^(1970-01-01|9999-12-31)/.test(text));

/** Generates texts that match the patterns and formats in a schema's `anyOf`. */
const matching = (anyOf: Schema[]) =>
  anyOf.flatMap((one) =>
    one.pattern ? fc.stringMatching(new RegExp(one.pattern)) : one.format ? valid(one) : [],
  );

/** Generates integers, mostly small ones: large ones make some requests slow, such as a request for a hundred spins. */
const integer = (min = 0, max = 1_000_000) =>
  fc.oneof({ weight: 9, arbitrary: fc.integer({ min, max: Math.min(max, min + 4) }) }, fc.constant(max));

/** Generates strings. The lengths `min` and `max` count Unicode code points, as in JSON Schema. */
const string = (min: number, max: number) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.string({ unit: 'binary', minLength: min, maxLength: Math.min(max, 20) }) },
    fc.constantFrom('x'.repeat(max), '\u{1F39F}'.repeat(max)),
  );

/** Generates objects. Adds unknown fields to some of them, because the service must ignore unknown fields. */
const object = (properties: Record<string, Schema>, required: string[]) =>
  fc
    .tuple(
      fc.record(
        mapped(properties, (schema, name) => validField(schema, name)),
        {
          requiredKeys: required as [],
        },
      ),
      fc.dictionary(fc.constantFrom('x-unknown', 'constructor', ''), fc.constantFrom(null, 1, 'x', []), {
        maxKeys: 1,
      }),
    )
    .map(([known, unknown]) => ({ ...unknown, ...known }));

// Leaves page tokens (`next_token`, `after`) empty, because a token is valid only for the list that returned it.
const validField = (schema: Schema, name: string) =>
  ['next_token', 'after'].includes(name) ? fc.constant('') : valid(schema);

const mapped = <T, U>(of: Record<string, T>, make: (value: T, name: string) => U) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, make(value, name)])) as Record<
    string,
    U
  >;

const oddities = fc.constantFrom<unknown>(
  null,
  true,
  [],
  {},
  -1,
  0,
  0.5,
  1e10,
  1e300,
  '',
  ' ',
  'x',
  '1',
  'yesterday',
  'whsec_',
  'whsec_YW-_',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-13-01T00:00',
  '0000-00-00T00:00',
  '2100-02-29',
  '1969-12-31T00:00:00Z',
  'javascript:alert(1)',
  'x'.repeat(3000),
);

/** Generates random values that are invalid for a schema of the OpenAPI document. */
export const invalid = (schema: Schema): fc.Arbitrary<unknown> => {
  if (!resolved(schema).properties) return oddities.filter((value) => faultsOf(schema, value) !== '');
  const { properties, required = [] } = resolved(schema);
  const names = Object.keys(properties).filter((name) => !['next_token', 'after'].includes(name));
  const spoiled = (name: string) => invalid(properties[name]).map((value) => [name, value] as const);
  const broken = fc.oneof(
    ...(required.length > 0 ? [fc.constantFrom(...required).map((name) => [name, undefined] as const)] : []),
    ...names.map(spoiled),
  );
  return fc.tuple(valid(schema), broken).map(([value, [name, brokenValue]]) => {
    const { [name as never]: _, ...others } = value as object;
    return brokenValue === undefined ? others : { ...others, [name as string]: brokenValue };
  });
};
