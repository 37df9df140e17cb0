import * as z from 'zod/mini';
import { integer, text } from '../../../shared/api/schemas.ts';
import { refusalOfIssues } from '../../../shared/api/validate.ts';
import { isStocked } from '../../../shared/games/budgets.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { refusals } from '../../../shared/refusals.ts';
import { type Game, type Lang, langs, type PrizeKind, prizeKinds } from '../../../shared/vocabulary.ts';
import { limitNames } from './settings-schema.ts';

const maxAmountOf = (kind: PrizeKind) => (kind === 'tickets' || kind === 'cash_usd' ? 1_000_000 : 1);
const maxNumber = 2 ** 31;

/** Refuses unknown fields, because a misspelled field would be ignored. */
const strict = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `Input should have no '${(keys as string[])[0]}'` : undefined,
  });
const ignored = z.optional(z.unknown());

/** Creates a schema for a text in each language, with at most `maxLength` characters. */
const textInEachLanguage = (maxLength: number) => {
  const word = text(1, maxLength);
  return strict(Object.fromEntries(langs.map((lang) => [lang, word])) as Record<Lang, typeof word>);
};
const value = z.number().check(
  z.minimum(0),
  z.maximum(1_000_000),
  z.refine((usd) => Math.round(usd * 100) / 100 === usd, 'Input should have at most two decimals'),
);

const prize = strict({
  id: text(1, 60).check(z.regex(/^[a-z0-9-]+$/, 'Input should be lower-case letters, digits and hyphens')),
  kind: z.enum(prizeKinds),
  amount: z.int().check(z.minimum(1)),
  weight: integer(1, 1_000_000),
  label: textInEachLanguage(60),
  details: z.optional(textInEachLanguage(160)),
  value_usd: z.optional(value),
  stock: z.optional(integer(1, 1_000_000_000)),
  stock_per_day: z.optional(integer(1, 1_000_000_000)),
  stock_left: ignored,
  stock_left_today: ignored,
  chance_percent: ignored,
  chance_now_percent: ignored,
}).check(({ value, issues }) => {
  const refuse = (path: keyof typeof value, message: string) =>
    issues.push({ code: 'custom', input: value[path], path: [path], message });
  const max = maxAmountOf(value.kind);
  if (value.amount > max) {
    refuse('amount', `Input should be ${max === 1 ? '1' : `at most ${max}`} for ${value.kind}`);
  }
  if (value.kind === 'cash_usd' && value.value_usd !== undefined) {
    refuse('value_usd', 'Cash has no value_usd: its amount is its value');
  }
});

const prizes = z
  .array(prize)
  .check(z.minLength(1), z.maxLength(100))
  .check(({ value, issues }) => {
    const refuse = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message });
    const ids = value.map(({ id }) => id);
    const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (twice >= 0) refuse([twice, 'id'], `'${ids[twice]}' is also the id of an earlier prize`);
    // Requires a ticket prize without a stock, because all other prizes can run out.
    const tickets = value.filter(({ kind }) => kind === 'tickets');
    if (tickets.length === 0) refuse([], 'At least one prize should be tickets');
    else if (tickets.every(isStocked)) refuse([], 'At least one prize should be tickets without a stock');
    if (value.reduce((sum, { weight }) => sum + weight, 0) > maxNumber)
      refuse([], `The weights should sum to at most ${maxNumber}`);
  });

const table = strict({
  prizes,
  version: z.optional(text(1, 120)),
  cost: ignored,
  play: ignored,
  now: ignored,
});
const limits = Object.fromEntries(limitNames.map((name) => [name, ignored]));
/** The output of `game show`, of which only the prize table of `game` is checked. */
const shown = <G extends Game>(game: G) => {
  const ofGame = { [game]: table } as Record<G, typeof table>;
  return strict({ ...limits, suspended: ignored, paused: ignored, games: z.object(ofGame) });
};

/** Files saved from `game show` also contain the version of the prize table. */
type TypedTable = { prizes: Prize[]; version?: string | undefined };

/** Parses an operator's file or the output of `game show`. Throws a Refusal for the first error or unknown field. */
export function parsePrizeTable(input: unknown, game: Game): TypedTable {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw refusals.invalid('Input should be a valid object');
  }
  const { prizes, version } = 'games' in input ? parse(shown(game), input).games[game] : parse(table, input);
  return {
    version,
    prizes: prizes.map(
      ({ chance_percent, chance_now_percent, stock_left, stock_left_today, ...prize }) => prize,
    ),
  };
}

function parse<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (!parsed.success) throw refusalOfIssues(parsed.error.issues);
  return parsed.data;
}
