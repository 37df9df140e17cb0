import type * as z from 'zod/mini';
import { type Refusal, refusals } from '../refusals.ts';

type Issue = z.core.$ZodIssue;
type Raw = Record<string, unknown>;

/** Throws a Refusal for the first invalid field. */
export function validate<S extends z.ZodMiniObject>(schema: S, input: Raw): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw refusalOfIssues(parsed.error.issues);
}

/** Returns the refusal for the first issue. Issues marked `standsAlone`, whose messages name no field, come last. */
export function refusalOfIssues(all: Issue[]): Refusal {
  // An integer beyond JavaScript's safe range usually causes two issues. Prefers the one that tells the host the
  // field's own bound.
  const ownBounds = all.filter((issue) => !isUnsafe(issue));
  const issues = ownBounds.length > 0 ? ownBounds : all;
  const ofField = issues.find((issue) => !standsAlone(issue));
  if (!ofField) return refusals.invalid(issues[0]!.message, 400);
  const place = ofField.path.length > 0 ? `${ofField.path.join('.')}: ` : '';
  return refusals.invalid(`${place}${reasonOf(ofField)}`, 422, detailOf(ofField));
}

const standsAlone = (issue: Issue) => issue.code === 'custom' && issue.params?.standsAlone === true;

const detailOf = (issue: Issue): string | undefined =>
  issue.code === 'custom' ? issue.params?.detail : undefined;

const isUnsafe = (issue: Issue) =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);

const nouns: Record<string, string> = { number: 'integer', int: 'integer', array: 'list', record: 'object' };

function reasonOf(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'Field required';
    const fraction =
      issue.expected === 'int' && typeof issue.input === 'number' && Number.isFinite(issue.input);
    if (fraction) return 'Input should be a valid integer, got a number with a fractional part';
    return `Input should be a valid ${nouns[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'invalid_value') {
    return issue.input === undefined
      ? 'Field required'
      : `Input should be ${choiceOf(issue.values.map(String))}`;
  }
  if (issue.code === 'too_small') return boundOf(issue.origin, 'at least', 'greater', issue.minimum);
  if (issue.code === 'too_big') return boundOf(issue.origin, 'at most', 'less', issue.maximum);
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'Input should be a valid URL';
  return issue.message;
}

function boundOf(valueType: string, length: string, size: string, bound: number | bigint): string {
  if (valueType === 'string')
    return `String should have ${length} ${bound} character${Number(bound) === 1 ? '' : 's'}`;
  if (valueType === 'array')
    return `List should have ${length} ${bound} item${Number(bound) === 1 ? '' : 's'}`;
  return `Input should be ${size} than or equal to ${bound}`;
}

function choiceOf(values: string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

const isNumber = /^-?\d{1,20}(\.\d{1,20})?$/;

export function withNumbersParsed(schema: z.ZodMiniObject, query: Raw): Raw {
  const shape: Record<string, z.core.$ZodType> = schema.shape;
  return Object.fromEntries(
    Object.entries(query).map(([field, value]) => {
      // Uses `hasOwn` because a query field could have the name of an inherited property, such as `constructor`.
      const numeric = Object.hasOwn(shape, field) && innerType(shape[field]!) === 'number';
      return [field, numeric && typeof value === 'string' && isNumber.test(value) ? Number(value) : value];
    }),
  );
}

function innerType(schema: z.core.$ZodType): string {
  const { def } = schema._zod as unknown as {
    def: { type: string; innerType?: z.core.$ZodType };
  };
  return def.innerType ? innerType(def.innerType) : def.type;
}
