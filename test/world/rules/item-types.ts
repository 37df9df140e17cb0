/** Derives the types of items from their keys, as listed in shared/table/README.md. */
import type { Key } from '../../support/dynamodb/keys.ts';
import type { StoredItem } from '../journal.ts';

/** All types of items in the table. `unknown` is an item whose key matches no type. */
export type ItemType =
  | 'organization'
  | 'settings'
  | 'prize table'
  | 'action'
  | 'payouts'
  | 'page'
  | 'book'
  | 'book check'
  | 'tile'
  | 'closing'
  | 'webhook'
  | 'webhooks'
  | 'api key'
  | 'invocation'
  | 'budget'
  | 'user'
  | 'reference'
  | 'record'
  | 'milestone'
  | 'idempotency'
  | 'due'
  | 'session'
  | 'call'
  | 'index state'
  | 'day counts'
  | 'block'
  | 'active report'
  | 'drawing'
  | 'holder'
  | 'entrant'
  | 'drawing progress'
  | 'unknown';

const byPartition: Record<string, [RegExp, ItemType][]> = {
  ORG: [
    [/^ORG$/, 'organization'],
    [/^SETTINGS$/, 'settings'],
    [/^GAME#/, 'prize table'],
    [/^ACTIONS#/, 'action'],
    [/^PAYOUTS$/, 'payouts'],
    [/^WEBHOOK#/, 'webhook'],
    [/^WEBHOOKS$/, 'webhooks'],
    [/^DRAWING#/, 'drawing'],
  ],
  USER: [
    [/^(TICKETS|ENTRIES#(truck|flight)|OUTCOMES|ORDERS|CLAIMS)#/, 'record'],
    [/^USER$/, 'user'],
    [/^IDEM#/, 'idempotency'],
    [/^NTH#/, 'milestone'],
  ],
  DUE: [[/^\d{4}-\d\d-\d\d#/, 'due']],
  KEY: [[/^KEY$/, 'api key']],
  PAGE: [[/^PAGE$/, 'page']],
  INVOKED: [[/./, 'invocation']],
  BUDGET: [[/^BUDGET$/, 'budget']],
  REF: [[/^REF$/, 'reference']],
  PLAY: [[/^PLAY$/, 'session']],
  CALLS: [[/./, 'call']],
  ROWS: [
    [/^DAYS#STATE$/, 'index state'],
    [/^DAYS#\d{4}$/, 'day counts'],
    [/^BLOCK#\d{4}#(TIME#[0-9A-Z]+|NUMBER#\d{4}-\d\d-\d\d#\d{7})$/, 'block'],
  ],
  ACTIVE: [[/./, 'active report']],
  HOLDERS: [[/./, 'holder']],
  ENTRANTS: [
    [/^((announced|called_off)#\d+|TIMESTAMP)$/, 'drawing progress'],
    [/^[0-9A-Z]{26}$/, 'entrant'],
  ],
  BOOKS: [[/^\d{4}-\d\d-\d\d$/, 'book']],
  CHECKS: [[/^\d{4}-\d\d-\d\d$/, 'book check']],
  TILES: [
    [/^TILE#/, 'tile'],
    [/^CLOSING$/, 'closing'],
  ],
};

const firstPart = (key: string) => key.split('#', 1)[0]!;

/** Returns the type of an item, derived from its partition and sort key. */
export function typeOf({ pk, sk }: Key): ItemType {
  return byPartition[firstPart(pk)]?.find(([form]) => form.test(sk))?.[1] ?? 'unknown';
}

/** Returns an id without its prefix, as in some keys: `01J…` for `usr_01J…`. */
export const shortId = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Returns the id of the organization that owns an item, from the item's key or its `organization_id`. */
export function organizationOf({ pk, sk, organization_id }: StoredItem): string {
  const partition = firstPart(pk);
  if (partition === 'KEY' || partition === 'PLAY') return String(organization_id);
  const id = partition === 'ACTIVE' ? sk.split('#')[0]! : pk.split('#')[1]!;
  return ['USER', 'CALLS', 'HOLDERS', 'ENTRANTS'].includes(partition) ? `org_${id}` : id;
}

/** Returns the account that a transaction changes: `tickets`, `truck` or `flight`. */
export const accountOf = ({ kind, entry_type }: StoredItem): string =>
  kind === 'entries' ? String(entry_type) : 'tickets';
/** The accounts of a user: tickets, and entries to the two sweepstakes. */
export const accountNames = ['tickets', 'truck', 'flight'] as const;

/** Returns the list of numbered records to which a record belongs: its kind, and for entries also their type. */
export const listOf = ({ kind, entry_type }: StoredItem): string =>
  kind === 'entries' ? `entries#${entry_type}` : String(kind);

/** Returns the id of an outcome, order, step of a prize or transaction. */
export const idOf = ({ kind, id, order_id, claim_id, transaction_id }: StoredItem): string =>
  String({ outcomes: id, orders: order_id, claims: claim_id }[String(kind)] ?? transaction_id);

/** Returns what an event tells of its record: the id, or for a step of a prize the prize, time and state. */
export const toldOf = (record: StoredItem): string =>
  record.kind === 'claims' ? `${record.prize_id} ${record.date_created} ${record.state}` : idOf(record);

/** Returns whether a debug play forced this prize, so that no limit applies. */
export const isForcedPrize = (debug: string | undefined): boolean =>
  debug !== undefined && debug !== 'tickets_only';

/** Returns whether an outcome counts towards the daily win limit. Tickets, entries and forced prizes don't count. */
export const isWin = ({ prize, debug }: StoredItem): boolean =>
  !isForcedPrize(debug) &&
  !Object.keys(prize).some((kind) => kind === 'tickets' || kind.startsWith('entry_'));

/** Returns the id of the outcome of a play URL's session, or undefined if the URL was not played. */
export const idOfPlay = (session: StoredItem | undefined): string | undefined =>
  session?.played && `out_${session.played.ulid}`;

const shownOfOutcome = 'id user_id game play_type prize timestamp result_effective_date'.split(' ');
/** Returns the fields of an outcome that the API shows. */
export const outcomeView = (record: StoredItem) =>
  Object.fromEntries(shownOfOutcome.map((field) => [field, record[field]]));
