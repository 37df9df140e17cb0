/** What an item of the table is, told by its key; the layout is described in shared/table/README.md. */
import type { StoredItem } from '../journal.ts';

/** What an item can be. */
export type ItemType =
  | 'organization'
  | 'settings'
  | 'prize table'
  | 'operation'
  | 'payouts'
  | 'page'
  | 'book'
  | 'tile'
  | 'closing'
  | 'webhook'
  | 'webhooks'
  | 'api key'
  | 'invocation'
  | 'pace'
  | 'follower'
  | 'budget'
  | 'user'
  | 'reference'
  | 'record'
  | 'milestone'
  | 'idempotency'
  | 'due'
  | 'round'
  | 'session'
  | 'call'
  | 'index state'
  | 'day counts'
  | 'block'
  | 'active report'
  | 'unknown';

const byPartition: Record<string, [RegExp, ItemType][]> = {
  ORG: [
    [/^ORG$/, 'organization'],
    [/^SETTINGS$/, 'settings'],
    [/^GAME#/, 'prize table'],
    [/^OPERATIONS#/, 'operation'],
    [/^PAYOUTS$/, 'payouts'],
    [/^WEBHOOK#/, 'webhook'],
    [/^WEBHOOKS$/, 'webhooks'],
  ],
  USER: [
    [/^(TICKETS|ENTRIES#(truck|flight)|OUTCOMES|ORDERS)#/, 'record'],
    [/^USER$/, 'user'],
    [/^IDEM#/, 'idempotency'],
    [/^NTH#/, 'milestone'],
  ],
  DUE: [[/^\d{4}-\d\d-\d\d#/, 'due']],
  KEY: [[/^KEY$/, 'api key']],
  PAGE: [[/^PAGE$/, 'page']],
  PACE: [[/^PACE$/, 'pace']],
  FOLLOWER: [[/./, 'follower']],
  INVOKED: [[/./, 'invocation']],
  BUDGET: [[/^BUDGET$/, 'budget']],
  REF: [[/^REF$/, 'reference']],
  BEACON: [[/^BEACON$/, 'round']],
  PLAY: [[/^PLAY$/, 'session']],
  CALLS: [[/./, 'call']],
  ROWS: [
    [/^DAYS#STATE$/, 'index state'],
    [/^DAYS#\d{4}$/, 'day counts'],
    [/^BLOCK#\d{4}#(TIME#[0-9A-Z]+|NUMBER#\d{4}-\d\d-\d\d#\d{7})$/, 'block'],
  ],
  ACTIVE: [[/./, 'active report']],
  BOOKS: [[/^\d{4}-\d\d-\d\d$/, 'book']],
  TILES: [
    [/^TILE#/, 'tile'],
    [/^CLOSING$/, 'closing'],
  ],
};

const firstPart = (key: string) => key.split('#', 1)[0]!;

/** What an item is. */
export function typeOf({ pk, sk }: StoredItem): ItemType {
  return byPartition[firstPart(pk)]?.find(([form]) => form.test(sk))?.[1] ?? 'unknown';
}

/** An organization's id, or a user's, as the keys of users' items, of calls and of the index have it. */
export const shortId = (id: string): string => id.slice(id.indexOf('_') + 1);

/** The organization that an item belongs to: the one in its key, or the one that it names. */
export function organizationOf({ pk, sk, organization_id }: StoredItem): string {
  const partition = firstPart(pk);
  if (partition === 'KEY' || partition === 'PLAY') return String(organization_id);
  const id = partition === 'ACTIVE' ? sk.split('#')[0]! : pk.split('#')[1]!;
  return partition === 'USER' || partition === 'CALLS' ? `org_${id}` : id;
}

/** The balance that a ticket or entry record changes. */
export const accountOf = ({ kind, entry_type }: StoredItem): string =>
  kind === 'entries' ? String(entry_type) : 'tickets';
/** The balances that a user has. */
export const accountNames = ['tickets', 'truck', 'flight'] as const;

/** The list that a record is kept in. */
export const listOf = ({ kind, entry_type }: StoredItem): string =>
  kind === 'entries' ? `entries#${entry_type}` : String(kind);

/** The id of a record. */
export const idOf = ({ kind, id, order_id, transaction_id }: StoredItem): string =>
  String(kind === 'outcomes' ? id : kind === 'orders' ? order_id : transaction_id);

/** Whether an outcome won cash of the day: a debug jackpot is outside of it. */
export const cashWon = ({ prize, debug }: StoredItem): number =>
  debug === 'jackpot' ? 0 : Number(prize.cash_usd ?? 0);

/** Whether an outcome is a win: neither tickets nor an entry, and no debug jackpot. */
export const isWin = ({ prize, debug }: StoredItem): boolean =>
  debug !== 'jackpot' && !Object.keys(prize).some((kind) => kind === 'tickets' || kind.startsWith('entry_'));

/** The id of the outcome of a session, or undefined. */
export const idOfPlay = (session: StoredItem | undefined): string | undefined =>
  session?.played && `out_${session.played.ulid}`;

/** An outcome as users see it. */
export const outcomeView = ({
  id,
  user_id,
  play_type,
  prize,
  timestamp,
  result_effective_date,
}: StoredItem) => ({
  id,
  user_id,
  play_type,
  prize,
  timestamp,
  result_effective_date,
});
