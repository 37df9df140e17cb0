/** Zod schemas of fields in the API, with bounds such as maximum lengths. */
import * as z from 'zod/mini';
import { parseBound, parseInstant } from '../time.ts';
import {
  type Account,
  accounts,
  claimStates,
  debugResults,
  drawingStates,
  entryTypes,
  eventTypes,
  gameStatuses,
  games,
  holds,
  type Lang,
  langs,
  type PrizeKind,
  playTypes,
  prizeKinds,
  restrictions,
} from '../vocabulary.ts';

export const maxBodyBytes = 64 * 1024;

const wellFormed = (text: string) => text.isWellFormed();

/** Adds documentation to a schema. Call it after adding all checks, because adding a check drops the documentation. */
export function documented<S extends z.ZodMiniType>(
  schema: S,
  about: { description?: string; format?: string; anyOf?: object[] },
): S {
  z.globalRegistry.add(schema, about);
  return schema;
}

/** Refuses unpaired surrogates, because DynamoDB would change them. */
export const text = (min: number, max: number) =>
  z
    .string()
    .check(z.minLength(min), z.maxLength(max), z.refine(wellFormed, 'Input should be a valid string'));

export const describedAs = <S extends z.ZodMiniType>(schema: S, description: string): S =>
  documented(z.clone(schema, schema._zod.def, { parent: true }), { description });

export const integer = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

/** Matches a timestamp whose offset lost its plus sign: `+` in a query means a space. */
const lostPlus = /:\d\d(\.\d+)? \d\d(:?\d\d)?$/;

export const timestampText = z.string();

const timestampFor = (parse: (text: string) => number | undefined) =>
  z.pipe(
    timestampText,
    z.transform((value, context) => {
      const epochMs = parse(value);
      if (epochMs !== undefined) return epochMs;
      context.issues.push({
        code: 'custom',
        input: value,
        message: 'Input should be a valid datetime',
        ...(lostPlus.test(value)
          ? { params: { detail: 'In a query, + stands for a space. Encode it as %2B' } }
          : {}),
      });
      return z.NEVER;
    }),
  );

/** Schema that parses an ISO 8601 timestamp to epoch milliseconds. */
export const timestamp = timestampFor(parseInstant);
/** Schema of the `start` and `end` of a query with `timeRange`. */
export const timeBound = timestampFor(parseBound);

type TimeRange = { start?: number | undefined; end?: number | undefined };

/** Refuses a `start` after `end`, then rounds both to milliseconds so that comparisons with records stay true. */
export const timeRange = <Q extends TimeRange>(end: 'excluding end' | 'including end') =>
  [
    z.refine<Q>(({ start, end }) => start === undefined || end === undefined || start <= end, {
      path: ['start'],
      error: 'Input must not be after end',
    }),
    z.overwrite<Q>((query) => ({
      ...query,
      ...(query.start === undefined ? {} : { start: Math.ceil(query.start) }),
      ...(query.end === undefined
        ? {}
        : { end: (end === 'excluding end' ? Math.ceil : Math.floor)(query.end) }),
    })),
  ] as const;

/** The API contract prescribes this error, whose message does not name the field. */
const minimumStandingAlone = (minimum: number, message: string) =>
  z.refine<number>((value) => value >= minimum, {
    error: message,
    // `validate` reports this error only if no other field is invalid.
    params: { standsAlone: true, minimum },
  });

export const maxAmount = 1_000_000_000;
export const amount = (unit: 'ticket' | 'entry') =>
  z.int().check(z.maximum(maxAmount), minimumStandingAlone(1, `${unit} amount must be positive`));
export const idempotencyKey = text(1, 255);
export const externalReference = text(1, 255);
export const description = z._default(text(0, 500), '');
export const entryType = z.enum(entryTypes);
export const limit = (byDefault: number) =>
  z._default(
    z.int().check(z.maximum(1000), minimumStandingAlone(0, 'limit must be greater than or equal to 0')),
    byDefault,
  );
export const nextToken = z.optional(
  documented(z.string().check(z.maxLength(2048)), {
    description: 'The `next_token` of the previous page, with the same filters; absent for the first page',
  }),
);
export const nextTokenReply = documented(z.string(), { description: 'Empty on the last page' });

export const cursor = z.optional(
  documented(z.string().check(z.maxLength(2048)), {
    description:
      'The `next` of the previous page; absent for the first page. It is valid only with the same `user_id` and ' +
      '`event_type` as before',
  }),
);
export const nextCursor = documented(z.string(), {
  description: 'The cursor for the next page: send it as `after`',
});

export const afterSequence = documented(integer(0, 1_000_000_000), {
  description: 'With `user_id` and without `after`: the `sequence` of the last event that you have',
});

/** Ids may be any text, because a lookup refuses malformed and unknown ids alike. */
export const userId = z.string();
export const transactionId = z.string();
export const outcomeId = z.string();
export const webhookId = z.string();
export const eventId = z.string();
export const userPath = z.object({ user_id: userId });

export const lastSequence = documented(z.number(), {
  description:
    "The `sequence` of the user's last event that the response includes; 0 before the first event. Of two " +
    'responses, the one with the higher number is newer',
});
export const url = documented(z.string(), { format: 'uri' });
/** An instant in a response: ISO 8601 in UTC, with milliseconds and `Z`. */
export const instant = z.iso.datetime({ precision: 3 });
export const userReply = z.object({
  user_id: userId,
  date_created: instant,
});
export const fullUserReply = z.object({
  user_id: userId,
  external_reference: z.string(),
  date_created: instant,
});
export const hostIdempotencyKey = documented(z.string(), {
  description: 'Absent if the transaction comes from a game, a drawing or an operator',
});
export const gameOutcomeId = describedAs(outcomeId, 'Present only if the transaction comes from a game');
export const ticketTransaction = z.object({
  transaction_id: transactionId,
  idempotency_key: z.optional(hostIdempotencyKey),
  outcome_id: z.optional(gameOutcomeId),
  amount: z.number(),
  description: z.string(),
  date_created: instant,
});
export const spinsToQueue = integer(1, 1000);
export const spinsAtOnce = integer(1, 100);
export const queuedSpins = z.object({ total_queued_spins: z.number() });

export const lang = z.enum(langs);
export const game = z.enum(games);
export const debugResult = z.enum(debugResults);
/** Seconds for which the URL of a debug play is valid: 30 minutes, like other play URLs, or less. */
export const validSeconds = z._default(integer(1, 1800), 1800);
export const restriction = z.enum(restrictions);
export const hold = z.enum(holds);
/** Schema of a user's eligibility for one game: whether the user can play now, and the reasons if not. */
export const gameEligibility = z.object({
  game,
  playable: z.boolean(),
  free_playable: z.boolean(),
  cost: documented(z.number(), { description: 'In tickets' }),
  restrictions: z.array(restriction),
  holds: z.array(hold),
});
/** The organization's promotion. Outside its period, all games are `tickets_only`. */
export const promotion = documented(
  z.nullable(z.object({ name: z.string(), starts_at: instant, ends_at: instant })),
  {
    description:
      'Before `starts_at` and from `ends_at` on, plays can win only tickets; null without a promotion',
  },
);
export const cashLimit = integer(0, 1_000_000_000);
export const clientSeed = z._default(text(0, 255), '');
export const playToken = z.string();
export const playPath = z.object({ token: playToken });
export const prize = z.object(
  Object.fromEntries(prizeKinds.map((kind) => [kind, z.optional(z.number())])) as Record<
    PrizeKind,
    z.ZodMiniOptional<z.ZodMiniNumber>
  >,
);
export const outcome = z.object({
  id: outcomeId,
  user_id: userId,
  game,
  play_type: z.enum(playTypes),
  prize,
  timestamp: instant,
  result_effective_date: instant,
  claim_by: documented(z.optional(instant), {
    description: 'The last moment to claim the prize, if it is tracked and has a deadline',
  }),
});
/** State of the budgets before a draw. The type `DrawBudgets` explains the fields. */
export const drawBudgets = z.object({
  day: z.optional(z.string()),
  cash: z.object({ grants: z.number(), granted: z.number(), limit: z.number() }),
  promotion: z.optional(
    z.object({
      first_day: z.string(),
      grants: z.number(),
      granted: z.number(),
      limit: z.optional(z.number()),
    }),
  ),
  outside: z.optional(z.literal(true)),
  stock: z.optional(
    z.object({
      grants: z.number(),
      out: z.optional(z.array(z.string())),
      number: z.optional(z.number()),
      number_of_day: z.optional(z.number()),
    }),
  ),
  wins: z.optional(z.object({ granted: z.number(), limit: z.number() })),
});
/** Data with which anybody who has the prize table can repeat a draw. */
export const fairness = z.object({
  commitment: z.string(),
  server_seed: z.string(),
  client_seed: z.string(),
  prize_table_version: z.string(),
  prize_id: z.string(),
  budgets: z.optional(drawBudgets),
  debug: z.optional(debugResult),
});

export const prizeId = documented(z.string(), {
  description: 'The id of the outcome that won the prize; of a drawing, an id that begins with `drw_`',
});
export const day = z.iso.date('Input should be a day such as 2027-01-31');
const deliveredOn = documented(z.optional(day), {
  description: 'The day of the delivery in New York; by default today. Only with `delivered`',
});
/** The fields of a step of a prize's claim. */
export const claimStep = {
  state: z.enum(['open', 'held', 'delivered', 'forfeited']),
  reference: documented(z.optional(text(1, 255)), {
    description: 'Your reference of the delivery, such as a tracking number. Required for `delivered`',
  }),
  reason: documented(z.optional(text(1, 500)), {
    description:
      'Required for `held`, such as a missing form, and for `forfeited`. Erased with the user, and not public',
  }),
  delivered_on: deliveredOn,
};
/** A label by language. */
export const drawingPrize = z.object(
  Object.fromEntries(langs.map((lang) => [lang, z.string()])) as Record<Lang, z.ZodMiniString>,
);
/** A drawing's prize is a label by language, a game's prize a number by kind. */
export const anyPrize = z.union([drawingPrize, prize]);
export const wonPrize = z.object({
  prize_id: prizeId,
  prize: anyPrize,
  value_usd: documented(z.nullable(z.number()), { description: 'Null if the prize table gives no value' }),
  won_at: instant,
  claim_by: documented(z.nullable(instant), {
    description: 'The last moment to claim the prize; null without a deadline',
  }),
  ...claimStep,
  state: z.enum(claimStates),
  state_at: instant,
});

export const drawingId = z.string();
export const drawingPath = z.object({ drawing_id: drawingId });
export const totalEntries = documented(z.string(), {
  description: 'A decimal number, which can exceed what a JSON number holds exactly',
});
/** Fields without a value yet are null. */
export const drawing = z.object({
  drawing_id: drawingId,
  type: entryType,
  prize: drawingPrize,
  value_usd: z.number(),
  closes: documented(z.iso.date(), { description: 'The last day in New York whose entries count' }),
  draws_at: instant,
  state: z.enum(drawingStates),
  is_test: z.boolean(),
  entrants: z.nullable(z.number()),
  total_entries: z.nullable(totalEntries),
  root: documented(z.nullable(z.string()), {
    description:
      'The Merkle root of the list of entrants, in hex. Keep it: it proves that the list did not change',
  }),
  places_left: documented(z.nullable(z.number()), {
    description: 'Prizes that nobody got, because too few users had entries; null before the draw',
  }),
  round: documented(z.number(), { description: 'The round of the public beacon drand that decides' }),
  winners: z.array(
    z.object({
      place: z.number(),
      prize_id: prizeId,
      user_id: userId,
      external_reference: z.string(),
      claim_by: instant,
      claim_state: claimStep.state,
    }),
  ),
});

export const requestId = z.optional(text(1, 255));
export const webhookPath = z.object({ webhook_id: webhookId });
export const eventType = z.enum(eventTypes);
export const userSummary = z.extend(z.omit(fullUserReply, { date_created: true }), {
  sequence: lastSequence,
  balances: z.object(
    Object.fromEntries(accounts.map((account) => [account, z.number()])) as Record<Account, z.ZodMiniNumber>,
  ),
  plays_left: z.nullable(z.number()),
  plays_reset_at: z.nullable(instant),
  games: z.array(gameEligibility),
  promotion,
  queued_spins: z.object({ total: z.number(), due: z.number(), run_at: z.nullable(instant) }),
  wins: z.object({
    since: instant,
    prizes: z.array(z.object({ outcome_id: outcomeId, prize, timestamp: instant })),
  }),
});

export const ticketReportRow = z.extend(ticketTransaction, {
  user_id: userId,
  result_effective_date: instant,
});
export const entryReportRow = z.extend(ticketReportRow, { entry_type: entryType });
export const outcomeReportRow = z.extend(z.omit(outcome, { play_type: true, claim_by: true }), {
  game_status: z.enum(gameStatuses),
  debug: z.optional(debugResult),
});
export const reportQuery = {
  start: z.optional(timeBound),
  end: z.optional(timeBound),
  page: z._default(integer(0, 1_000_000_000), 0),
  page_size: z._default(integer(1, 10_000), 1000),
  user_id: z.optional(userId),
};
export const reportPaging = {
  total_count: z.number(),
  page: z.number(),
  page_size: z.number(),
  total_pages: z.number(),
};
