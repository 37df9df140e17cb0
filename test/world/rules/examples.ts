/** Makes valid writes of users, records and credits. Tests change them to break a rule. */

import type { Commit, StoredItem } from '../journal.ts';
import { createCommitRules } from './commit-rules.ts';
import { sha256 } from './hashes.ts';
import { shortId } from './item-types.ts';
import { digestOfTexts, hashOf } from './records.ts';
import { shardOf } from './settings.ts';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Returns a ULID with this time in epoch milliseconds, and `number` in place of the random part. */
export function ulidOf(time: number, number = 1): string {
  let text = '';
  for (let rest = time, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return text + String(number).padStart(16, '0');
}

/** The time of most examples: 10:00 in New York. */
export const start = Date.parse('2026-03-06T15:00:00Z');
export const organizationId = `org_${ulidOf(start - 1000)}`;
export const userId = `usr_${ulidOf(start - 900)}`;
export const userPk = `USER#${shortId(organizationId)}#${shortId(userId)}`;
/** Formats epoch milliseconds as an ISO string, as stored items have it. */
export const iso = (time: number) => new Date(time).toISOString();
/** Midnight in New York at the start of the day of `start`. */
export const today = '2026-03-06T05:00:00.000Z';

/** Returns a write by a function or operator. `changes` has each item before and after the write. */
export const commitOf = (
  writer: string,
  changes: [StoredItem | undefined, StoredItem | undefined][],
  at = start,
): Commit => ({
  at,
  writer,
  changes: changes.map(([before, after]) => ({ before, after })),
});

/** Returns a user with ten tickets from one credit. */
export function userWithTickets(): StoredItem {
  return recorded({ ...newUser(), version: 1 }, [ticketChange(10, { idempotency_key: 'first' })], start - 500)
    .user;
}

/** Returns a user without balances and records. */
export const newUser = (): StoredItem => ({
  pk: userPk,
  sk: 'USER',
  organization_id: organizationId,
  user_id: userId,
  external_reference: 'anna',
  date_created: iso(start - 900),
  balances: { tickets: 0, truck: 0, flight: 0 },
  queued_spins: 0,
  plays: { day: '', count: 0 },
  version: 1,
  sequence: 0,
  last_hash: '',
  text_key: 'secret',
});

/**
 * Returns the fields of a transaction that changes a user's tickets by `amount`. Fields in `of` replace the
 * defaults.
 */
export const ticketChange = (amount: number, of: object) => ({
  kind: 'tickets',
  amount,
  description: '',
  result_effective_date: today,
  ...of,
});

/** The fields of a record without its id, keys, sequence numbers and hash, which `recorded` adds. */
export type RecordFields = { kind: string } & Record<string, unknown>;

/** Adds records with the same time to a user. Returns the changed user and the complete records. */
export function recorded(before: StoredItem, newFields: RecordFields[], time: number) {
  let user: StoredItem = { ...before, balances: { ...before.balances }, version: before.version + 1 };
  const records = newFields.map((one, index) => {
    const ulid = ulidOf(time, index + 1);
    const record = recordOf(user, one, ulid, time);
    user = {
      ...user,
      sequence: record.sequence,
      last_ulid: ulid,
      last_hash: record.hash,
      counts: countsOf(user, record),
    };
    return record;
  });
  return { user, records };
}

function countsOf({ counts }: StoredItem, { kind, entry_type }: StoredItem) {
  const lists = kind === 'entries' ? [kind, `entries#${entry_type}`] : [kind];
  return { ...counts, ...Object.fromEntries(lists.map((list) => [list, (counts?.[list] ?? 0) + 1])) };
}

const eventsIn = ({ tickets = 0, entries = 0, outcomes = 0 }: Record<string, number>) =>
  tickets + entries + outcomes;

function ownFields(kind: string, ulid: string, time: number, balance: number) {
  if (kind === 'outcomes') return { id: `out_${ulid}`, timestamp: iso(time) };
  if (kind === 'orders') return { order_id: `ord_${ulid}` };
  return { transaction_id: `txn_${ulid}`, balance_after: balance };
}

function recordOf(user: StoredItem, newFields: RecordFields, ulid: string, time: number): StoredItem {
  const { kind, entry_type, amount } = newFields;
  const list = kind === 'entries' ? `entries#${entry_type}` : kind;
  const account = String(entry_type ?? 'tickets');
  if (kind === 'tickets' || kind === 'entries') user.balances[account] += amount;
  const counts: Record<string, number> = countsOf(user, newFields as never);
  const record: StoredItem = {
    ...newFields,
    pk: userPk,
    sk: `${kind.toUpperCase()}#${entry_type ? `${entry_type}#` : ''}${ulid}`,
    tpk: `${shortId(organizationId)}#${list}#${shardOf(userId)}`,
    tsk: ulid,
    ...ownFields(kind, ulid, time, user.balances[account]),
    organization_id: organizationId,
    user_id: userId,
    date_created: iso(time),
    sequence: user.sequence + 1,
    number: counts[kind],
    ...(kind === 'orders' ? {} : { event_sequence: eventsIn(counts) }),
    ...(entry_type ? { number_of_type: counts[list] } : {}),
    ...(newFields.idempotency_key ? { texts: digestOfTexts(user.text_key, newFields) } : {}),
  };
  return { ...record, hash: hashOf(user.last_hash, record) };
}

/** Returns the item that stores an idempotency key, with the reply for repeated requests. */
export const keyItem = (resource: string, key: string, reply: object): StoredItem => ({
  pk: userPk,
  sk: `IDEM#${resource}#${sha256(key)}`,
  parameters: '…',
  reply,
});

/** Returns the write that credits five tickets to a user who has ten. */
export function credit(): Commit {
  const before = userWithTickets();
  const { user, records } = recorded(before, [ticketChange(5, { idempotency_key: 'gift' })], start);
  const reply = { transaction_id: records[0]!.transaction_id, balance: 15 };
  return commitOf('tickets/credit', [
    [before, user],
    [undefined, records[0]],
    [undefined, keyItem('tickets', 'gift', reply)],
  ]);
}

/** Checks writes in order with all rules for writes. Returns the names of the broken rules. */
export function rulesBrokenBy(...commits: Commit[]): string[] {
  const broken = new Set<string>();
  const check = createCommitRules({ fail: ({ rule }) => broken.add(rule) });
  for (const commit of commits) check(commit);
  return [...broken];
}

/** Returns the write with some fields replaced, in the first written item whose sort key starts with `sk`. */
export function changed(commit: Commit, sk: string, fields: object): Commit {
  const index = commit.changes.findIndex(({ after }) => after?.sk.startsWith(sk));
  const { before, after } = commit.changes[index]!;
  return { ...commit, changes: commit.changes.with(index, { before, after: { ...after!, ...fields } }) };
}

/** Returns the write without the items whose sort keys start with `sk`. */
export const without = (commit: Commit, sk: string): Commit => ({
  ...commit,
  changes: commit.changes.filter(({ before, after }) => !(after ?? before)!.sk.startsWith(sk)),
});
