/** Schemas for fields of books and records. Their bounds are never tightened, because old books must stay readable. */
import * as z from 'zod/mini';
import { canonicalJson } from '../ids.ts';
import { isDay } from '../time.ts';
import { type Game, games, langs, prizeKinds } from '../vocabulary.ts';

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const matching = (pattern: RegExp) => z.templateLiteral([z.string().check(z.regex(pattern))]);
/** Text of at most `maxLength` characters, without unpaired surrogates. */
export const boundedText = (maxLength: number) =>
  z.string().check(z.refine((value) => value.length <= maxLength && value.isWellFormed()));
/** An integer from `min` (by default 0) to `max` (by default the largest safe integer). */
export const integer = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= min && value <= max));
/** A value of `bytes` bytes in lower-case hex. */
export const hexBytes = (bytes: number) => matching(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
/** 32 bytes in base64url, as `sha256()` returns them. */
export const base64Digest = matching(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);
/** An id: a prefix such as `usr`, an underscore and a ULID. */
export const prefixedId = (prefix: string) => matching(new RegExp(`^${prefix}_${ulid}$`));

export const daySchema = z.string().check(z.refine(isDay));
/** An instant in the format of `toISOString()`. */
export const instantSchema = matching(
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/,
);

/** Rejects names such as `constructor`, which every JavaScript object has, because versions are keys of objects. */
export const tableVersionSchema = z.string().check(
  z.regex(/^[A-Za-z0-9_.-]{1,120}$/),
  z.refine((value) => !(value in {})),
);

export const prizeIdSchema = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/));
/** The id of a won prize: an outcome's, or a drawing's with the place and perhaps the draw. */
export const wonPrizeIdSchema = matching(new RegExp(`^(out_${ulid}|drw_${ulid}(:[1-9][0-9]{0,6}){1,2})$`));
const words = z.record(z.string().check(z.regex(/^[a-z]{2}$/)), boundedText(200));
const maxUsd = 1_000_000;
/** US dollars with at most two decimals. */
export const usdAmount = z.number().check(
  z.minimum(0),
  z.maximum(maxUsd),
  z.refine((value) => Math.round(value * 100) / 100 === value),
);
const prize = z.strictObject({
  id: prizeIdSchema,
  kind: z.enum(prizeKinds),
  amount: integer(1),
  weight: integer(0, 2 ** 31),
  label: words,
  details: z.optional(words),
  value_usd: z.optional(usdAmount),
  stock: z.optional(integer(1)),
  stock_per_day: z.optional(integer(1)),
});
const maxWeightSum = 2 ** 31;
/** A prize table: the sum of the weights is between 1 and 2^31, and ids are unique. */
export const prizesSchema = z.array(prize).check(
  z.minLength(1),
  z.maxLength(1000),
  z.refine((all) => {
    const sum = all.reduce((sum, { weight }) => sum + weight, 0);
    return sum >= 1 && sum <= maxWeightSum && new Set(all.map(({ id }) => id)).size === all.length;
  }),
);

const gameSettings = <const P extends string, S extends z.ZodMiniType>(prefix: P, schema: S) =>
  Object.fromEntries(games.map((game) => [`${prefix}_${game}`, z.optional(schema)])) as Record<
    `${P}_${Game}`,
    z.ZodMiniOptional<S>
  >;
const period = { first_day: daySchema, last_day: daySchema, cash_limit_usd: z.optional(integer()) };
const promotion = z.strictObject({
  name: boundedText(200),
  ...period,
  rules: z.partialRecord(z.enum(langs), z.strictObject({ url: boundedText(2048), sha256: hexBytes(32) })),
  previous: z.optional(z.strictObject(period)),
});
const settingsFields = {
  ...gameSettings('cost', integer()),
  ...gameSettings('prize_table', tableVersionSchema),
  daily_spin_limit_on: z.boolean(),
  daily_spin_limit: integer(),
  daily_cash_limit_usd: integer(),
  daily_cash_paced: z.boolean(),
  daily_win_limit: integer(),
  rules_url: boundedText(2048),
  suspended: z.boolean(),
  paused: z.string().check(z.maxLength(200), z.regex(/^([a-z_]+( [a-z_]+)*)?$/)),
  promotion: z.nullable(promotion),
  tracked_prizes: z.string().check(z.maxLength(300), z.regex(/^([a-z_]+( [a-z_]+)*)?$/)),
  claim_days: integer(),
};
export const settingsSchema = z.strictObject(settingsFields);
export const someSettingsSchema = z.partial(settingsSchema);

/** Returns undefined if the line is not canonical JSON or does not match the schema. */
export function parseLine<S extends z.ZodMiniType>(schema: S, line: string): z.output<S> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success && canonicalJson(parsed.data) === line ? parsed.data : undefined;
  } catch {
    // The line is not JSON, or is nested too deeply to parse.
    return undefined;
  }
}
