import * as z from 'zod/mini';
import { $ZodObjectJIT } from 'zod/v4/core';
import { playRulesOf } from '../games/rules.ts';
import { canonicalJson } from '../ids.ts';
import { pageSettingNames } from '../organizations/page-settings.ts';
import { dayOf } from '../time.ts';
import type { LeafKind } from '../vocabulary.ts';
import {
  type ActionName,
  accounts,
  actionNames,
  claimStates,
  debugResults,
  entryTypes,
  gameStatuses,
  games,
  langs,
  playTypes,
  prizeKinds,
} from '../vocabulary.ts';
import {
  base64Digest,
  boundedText,
  daySchema,
  hexBytes,
  instantSchema,
  integer,
  prefixedId,
  prizeIdSchema,
  prizesSchema,
  someSettingsSchema,
  tableVersionSchema,
  usdAmount,
  wonPrizeIdSchema,
} from './fields.ts';

/** A record's maximum size in a book, in bytes. */
export const maxLeafBytes = 2 ** 20;

const userRecordFields = {
  organization_id: prefixedId('org'),
  date_created: instantSchema,
  sequence: integer(1),
  hash: base64Digest,
};
const userRecord = {
  ...userRecordFields,
  user_id: prefixedId('usr'),
  /** The position of this record among the user's records of the same kind, from 1. */
  number: integer(1),
};

const eventRecord = {
  ...userRecord,
  /** The position of this record among the user's records that hosts receive events about, from 1. */
  event_sequence: integer(1),
};

const posting = {
  ...eventRecord,
  transaction_id: prefixedId('txn'),
  amount: integer(Number.MIN_SAFE_INTEGER),
  balance_after: integer(),
  result_effective_date: instantSchema,
  /** The outcome whose cost this transaction debits, or whose prize it credits. */
  outcome_id: z.optional(prefixedId('out')),
  action_id: z.optional(prefixedId('act')),
  drawing_id: z.optional(prefixedId('drw')),
  /** The description, if the service wrote it. For a host's description, the book has only `texts`. */
  description: z.optional(boundedText(500)),
  /** Digest of the host's texts. The record's hash covers it instead of the texts, so that they can be erased. */
  texts: z.optional(base64Digest),
};
const tickets = z.strictObject({ kind: z.literal('tickets'), ...posting });
const entries = z.strictObject({
  kind: z.literal('entries'),
  ...posting,
  entry_type: z.enum(entryTypes),
  number_of_type: integer(1),
});

const budgets = z.strictObject({
  day: z.optional(daySchema),
  cash: z.strictObject({ grants: integer(), granted: integer(), limit: integer() }),
  promotion: z.optional(
    z.strictObject({
      first_day: daySchema,
      grants: integer(),
      granted: integer(),
      limit: z.optional(integer()),
    }),
  ),
  outside: z.optional(z.literal(true)),
  stock: z.optional(
    z.strictObject({
      grants: integer(),
      out: z.optional(z.array(prizeIdSchema).check(z.minLength(1), z.maxLength(1000))),
      number: z.optional(integer(1)),
      number_of_day: z.optional(integer(1)),
    }),
  ),
  wins: z.optional(z.strictObject({ granted: integer(), limit: integer(1) })),
});

const wonByKind = z.partialRecord(z.enum(prizeKinds), integer(1));
/** Texts by language. */
const label = z.record(z.enum(langs), boundedText(200));

const outcomes = z.strictObject({
  kind: z.literal('outcomes'),
  ...eventRecord,
  id: prefixedId('out'),
  timestamp: instantSchema,
  play_type: z.enum(playTypes),
  game: z.enum(games),
  prize: wonByKind,
  prize_id: boundedText(60),
  game_status: z.enum(gameStatuses),
  result_effective_date: instantSchema,
  cost: integer(),
  prize_table_version: tableVersionSchema,
  /** The day whose secret the server seed is derived from. */
  secret_day: daySchema,
  token_hash: z.optional(base64Digest),
  expires_at: z.optional(instantSchema),
  order_id: z.optional(prefixedId('ord')),
  client_seed: boundedText(255),
  spin_index: integer(),
  budgets: z.optional(budgets),
  debug: z.optional(z.enum(debugResults)),
  /** Days in which a tracked prize must be claimed; 0 means no deadline. */
  claim_days: z.optional(integer()),
});

const claims = z.strictObject({
  kind: z.literal('claims'),
  ...eventRecord,
  claim_id: prefixedId('clm'),
  prize_id: wonPrizeIdSchema,
  prize: z.union([wonByKind, label]),
  state: z.enum(claimStates),
  delivered_on: z.optional(daySchema),
  operator: boundedText(500),
  correction: z.optional(z.literal(true)),
  texts: base64Digest,
});

const orders = z.strictObject({
  kind: z.literal('orders'),
  ...userRecord,
  order_id: prefixedId('ord'),
  num_of_spins: integer(1),
  run: z.enum(['queued', 'at_once']),
  due_day: daySchema,
  result_effective_date: instantSchema,
  prize_table_version: tableVersionSchema,
  texts: base64Digest,
});

// Texts may be longer than the API accepts today, because records of earlier changes must stay readable.
const somePageSettings = z.partialRecord(z.enum(pageSettingNames), boundedText(10_000));
const webhookState = z.partial(
  z.strictObject({
    failing_since: instantSchema,
    disabled_at: instantSchema,
    replaced_secrets: integer(),
  }),
);
const beacon = z.strictObject({ public_key: hexBytes(96), genesis_time: integer(), period: integer(1) });
export const drawingTermsSchema = z.strictObject({
  drawing_id: prefixedId('drw'),
  type: z.enum(entryTypes),
  closes: daySchema,
  draws_at: instantSchema,
  round: integer(1),
  winners: integer(1, 1000),
  prize: label,
  value_usd: usdAmount,
  claim_days: integer(1, 3660),
  beacon: z.optional(beacon),
  is_test: z.optional(z.literal(true)),
});
export const listSummarySchema = z.strictObject({
  root: hexBytes(32),
  entrants: integer(),
  total_entries: z.string().check(z.regex(/^(0|[1-9]\d{0,30})$/)),
});
const about = z.partial(
  z.strictObject({
    user_id: prefixedId('usr'),
    key_id: boundedText(60),
    transaction_id: prefixedId('txn'),
    account: z.enum(accounts),
    amount: integer(Number.MIN_SAFE_INTEGER),
    /** The user's balance before and after an adjustment. */
    balance: z.strictObject({ before: integer(), after: integer() }),
    token_hash: base64Digest,
    spins: z.record(prefixedId('ord'), integer(1)),
    /** When the `changes` of a scheduled change apply. */
    from: instantSchema,
    changes: someSettingsSchema,
    sequence: integer(1),
    /** Name of the promotion whose odds were changed after it had begun. */
    despite_rules: boundedText(200),
    /** Changed page settings, with the digest of an image instead of the image. */
    page: z.strictObject({ before: somePageSettings, after: somePageSettings }),
    webhook_id: prefixedId('wh'),
    webhook: z.strictObject({ before: webhookState, after: webhookState }),
    window: z.strictObject({ from: instantSchema, to: instantSchema }),
    /** Day of the latest book. `before` is absent for the first book. */
    last_book: z.strictObject({ before: z.optional(daySchema), after: daySchema }),
    drawing: drawingTermsSchema,
    list: listSummarySchema,
    signature: hexBytes(48),
    place: integer(1),
    /** Number of the draw that decided the place. */
    number: integer(1),
    /** Why a prize is forfeited. Unlike `why` of an action on a user, it is public and never erased. */
    reason: boundedText(500),
  }),
);

export type ActionDetails = z.output<typeof about>;

const actions = z.strictObject({
  kind: z.literal('actions'),
  ...userRecordFields,
  action_id: prefixedId('act'),
  operator: boundedText(500),
  action: z.enum(actionNames),
  /** Absent if the action concerns the whole organization. */
  about: z.optional(about),
  /** For actions on a user, `texts` has the digest of the reason instead. */
  why: z.optional(boundedText(500)),
  texts: z.optional(base64Digest),
  before: someSettingsSchema,
  after: someSettingsSchema,
  table: z.optional(
    z.strictObject({ game: z.enum(games), version: tableVersionSchema, prizes: prizesSchema }),
  ),
  fingerprints: z.optional(z.record(daySchema, hexBytes(32))),
});

export const leafSchemas = { tickets, entries, outcomes, claims, orders, actions };
type LeafOf<K extends LeafKind> = z.output<(typeof leafSchemas)[K]>;
export type OutcomeLeaf = LeafOf<'outcomes'>;
export type OrderLeaf = LeafOf<'orders'>;
export type ActionLeaf = LeafOf<'actions'>;
export type PostingLeaf = LeafOf<'tickets' | 'entries'>;
export type ClaimLeaf = LeafOf<'claims'>;
export type UserLeaf = PostingLeaf | OutcomeLeaf | OrderLeaf | ClaimLeaf;
export type Leaf = UserLeaf | ActionLeaf;

export function idOfLeaf(leaf: Leaf): string {
  if (leaf.kind === 'outcomes') return leaf.id;
  if (leaf.kind === 'orders') return leaf.order_id;
  if (leaf.kind === 'claims') return leaf.claim_id;
  return leaf.kind === 'actions' ? leaf.action_id : leaf.transaction_id;
}

/** The schemas compiled to functions, because a check parses millions of leaves. */
const compiled = Object.fromEntries(
  Object.entries(leafSchemas).map(([kind, { _zod }]) => [kind, new $ZodObjectJIT(_zod.def)]),
);

export function parseLeaf(line: string): Leaf | undefined {
  try {
    const parsed = JSON.parse(line);
    const schema = Object.hasOwn(compiled, parsed.kind) ? compiled[parsed.kind] : undefined;
    if (!schema || !z.safeParse(schema, parsed).success || !isCanonical(parsed, line)) return undefined;
    return isConsistent(parsed) ? parsed : undefined;
  } catch {
    // `JSON.parse` throws if the line is not JSON or is nested too deeply.
    return undefined;
  }
}

/** Returns whether `line` is canonical JSON. Only actions, with arrays of objects, need the slow `canonicalJson`. */
function isCanonical(leaf: Leaf, line: string): boolean {
  if (leaf.kind === 'actions') return canonicalJson(leaf) === line;
  return hasSortedKeys(leaf) && JSON.stringify(leaf) === line;
}

function hasSortedKeys(object: object): boolean {
  let before = '';
  for (const [key, value] of Object.entries(object)) {
    if (key <= before || (typeof value === 'object' && !Array.isArray(value) && !hasSortedKeys(value))) {
      return false;
    }
    before = key;
  }
  return true;
}

function isConsistent(leaf: Leaf): boolean {
  if (leaf.kind === 'outcomes') return isConsistentOutcome(leaf);
  if (leaf.kind === 'actions') return isConsistentAction(leaf);
  if (leaf.kind === 'orders' || leaf.kind === 'claims') return true;
  const causes = [leaf.outcome_id, leaf.action_id, leaf.drawing_id].filter((one) => one !== undefined);
  if (causes.length > 1 || (leaf.drawing_id && leaf.kind === 'tickets')) return false;
  const isOwn = causes.length > 0;
  return (
    leaf.amount !== 0 && isOwn === (leaf.description !== undefined) && isOwn === (leaf.texts === undefined)
  );
}

function isConsistentOutcome(leaf: OutcomeLeaf): boolean {
  const { play_type, debug, token_hash, expires_at, order_id, budgets } = leaf;
  const isFree = play_type === 'amoe';
  const holds = [
    Object.keys(leaf.prize).length === 1,
    (budgets !== undefined) === playRulesOf(debug).isBudgeted,
    budgets?.day === undefined || budgets.day !== dayOf(Date.parse(leaf.timestamp)),
    (budgets?.stock?.number === undefined) === (budgets?.stock?.number_of_day === undefined),
    isFree || (!order_id && leaf.spin_index === 0),
    isFree ? !token_hash && !expires_at && !debug && order_id : token_hash && expires_at,
  ];
  return holds.every(Boolean);
}

/** The fields of `about` for each action; `?` marks optional ones. */
const aboutFields: Record<ActionName, readonly (keyof ActionDetails | `${keyof ActionDetails}?`)[]> = {
  opened: [],
  changed: ['sequence?', 'despite_rules?'],
  scheduled: ['from', 'changes', 'despite_rules?'],
  unscheduled: ['sequence'],
  key_created: ['key_id'],
  key_revoked: ['key_id'],
  page_changed: ['page'],
  user_frozen: ['user_id'],
  user_unfrozen: ['user_id'],
  user_erased: ['user_id'],
  balance_adjusted: ['user_id', 'transaction_id', 'account', 'amount', 'balance'],
  play_voided: ['user_id', 'token_hash'],
  play_restored: ['user_id', 'token_hash'],
  spins_cancelled: ['user_id', 'spins'],
  spins_restored: ['user_id', 'spins'],
  webhook_enabled: ['webhook_id', 'webhook'],
  webhook_secrets_dropped: ['webhook_id', 'webhook'],
  events_replayed: ['window', 'webhook_id?'],
  reports_rebuilt: [],
  book_closed: ['last_book'],
  drawing_announced: ['drawing'],
  drawing_called_off: ['drawing'],
  drawing_returned: ['drawing'],
  drawing_closed: ['drawing', 'list'],
  drawing_won: ['user_id', 'drawing', 'place', 'number', 'signature'],
  drawing_forfeited: ['user_id', 'drawing', 'place', 'number', 'reason'],
};

function isConsistentAction(leaf: ActionLeaf): boolean {
  const { action, about = {}, before, after, table, fingerprints, why, texts } = leaf;
  const allowed = aboutFields[action].map((field) => field.replace('?', ''));
  const required = aboutFields[action].filter((field) => !field.endsWith('?'));
  const changed = Object.keys(after);
  const holds = [
    required.every((field) => field in about) && Object.keys(about).every((field) => allowed.includes(field)),
    Object.keys(before).every((name) => changed.includes(name)),
    changed.length === 0 || action === 'opened' || action === 'changed',
    action !== 'opened' || Object.keys(before).length === 0,
    !table || { ...after, ...about.changes }[`prize_table_${table.game}`] === table.version,
    (fingerprints !== undefined) === (action === 'opened'),
    about.user_id === undefined ? texts === undefined : why === undefined,
  ];
  return holds.every(Boolean);
}
