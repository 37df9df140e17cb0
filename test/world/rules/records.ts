/** Rules of users and their records: versions, sequence numbers, the hash chain, ids and times. */

import { createHmac } from 'node:crypto';
import type { StoredItem } from '../journal.ts';
import { timeIn, ulidIn } from './days-and-ulids.ts';
import { isSame, sha256, sortedJson } from './hashes.ts';
import { idOf, listOf, shortId } from './item-types.ts';
import type { ReportViolation, StepRule } from './rule.ts';
import { shardOf } from './settings.ts';
import type { UserStep } from './step.ts';

/** Creates a rule that checks the changes of each user in a write, without regard to earlier writes. */
const ofEachUser = (rule: string, check: (step: UserStep, report: ReportViolation) => void): StepRule => ({
  rule,
  start: (report) => (step) => {
    for (const user of step.users) check(user, (detail) => report(`${user.pk}: ${detail}`));
  },
});

/** A new user has version 1, zero balances and no records. A retry may write a version again. */
const versions = ofEachUser('each change increments the user’s version', ({ user }, report) => {
  if (!user) return;
  const { before, after } = user;
  if (!after) return report('the user is gone');
  if (!before) {
    const { version, sequence, queued_spins, balances } = after;
    const isNew = version === 1 && sequence === 0 && queued_spins === 0;
    if (!isNew || !isSame(balances, { tickets: 0, truck: 0, flight: 0 })) report('a new user is not empty');
    return;
  }
  if (isSame(before, after)) return;
  if (after.version !== before.version + 1)
    report(`version ${before.version} is followed by ${after.version}`);
  for (const field of ['organization_id', 'user_id', 'date_created'])
    if (after[field] !== before[field]) report(`${field} has changed`);
});

/** A write of a user's records, due items or idempotency keys also writes a new version of the user. */
const withUser = ofEachUser(
  'records are written with their user',
  ({ user, records, due, idempotency }, report) => {
    const changed = user?.before && user.after && user.after.version > user.before.version;
    if (!changed && records.length + due.length + idempotency.length > 0)
      report(
        `${records.length} records, ${due.length} due items and ${idempotency.length} keys without the user`,
      );
  },
);

/**
 * Records are numbered without gaps: `sequence` all, `event_sequence` those with events, `number` a kind,
 * `number_of_type` an entry type.
 */
export const numbering = ofEachUser('records are numbered without gaps', ({ user, records }, report) => {
  if (!user?.after) return;
  let sequence = user.before?.sequence ?? 0;
  const counts: Record<string, number> = { ...user.before?.counts };
  let events = (counts.tickets ?? 0) + (counts.entries ?? 0) + (counts.outcomes ?? 0);
  const next = (list: string) => {
    counts[list] = (counts[list] ?? 0) + 1;
    return counts[list];
  };
  for (const record of records) {
    sequence++;
    const number = next(record.kind);
    const told = record.kind === 'orders' ? undefined : ++events;
    const ofType = listOf(record) === record.kind ? undefined : next(listOf(record));
    const isNext =
      record.sequence === sequence &&
      record.event_sequence === told &&
      record.number === number &&
      record.number_of_type === ofType;
    if (!isNext)
      report(`${record.sk} is not record ${sequence}, ${number} of its kind, ${ofType} of its type`);
  }
  if (user.after.sequence !== sequence)
    report(`the user counts ${user.after.sequence} records, not ${sequence}`);
  if (!isSame(user.after.counts ?? {}, counts)) report(`the user's counts are not ${JSON.stringify(counts)}`);
});

/**
 * Returns a record's hash. If the record has a digest of its texts, the hash covers the digest instead of the
 * texts, which an erasure removes.
 */
export function hashOf(previous: string, record: StoredItem): string {
  const { pk, sk, tpk, tsk, hash, ...fields } = record;
  if (fields.texts !== undefined)
    for (const text of ['description', 'idempotency_key', 'why']) delete fields[text];
  return sha256(`${previous}\n${sortedJson(fields)}`);
}

/** Returns the HMAC of a request's description and idempotency key, keyed with the user's text key. */
export const digestOfTexts = (
  key: string,
  { description, idempotency_key }: Record<string, unknown>,
): string =>
  createHmac('sha256', key).update(sortedJson({ description, idempotency_key })).digest('base64url');

/** A host's texts in a record have a digest with the user's text key. Only erasures delete the key. */
export const textDigests = ofEachUser('texts of hosts are hashed with the user’s key', (step, report) => {
  const key = step.user?.after?.text_key;
  const before = step.user?.before?.text_key;
  const isErased = key === undefined && step.user?.after?.erased_at !== undefined;
  if (step.user?.after && before !== undefined && key !== before && !isErased) report('the key has changed');
  if (key === undefined) return;
  for (const record of step.records) {
    const expected = record.idempotency_key === undefined ? undefined : digestOfTexts(key, record);
    if (record.texts !== expected) report(`${record.sk} has the digest ${record.texts}`);
  }
});

/** Each record's hash follows from the previous record's hash. The user's item has the last hash. */
export const chain = ofEachUser('the hash chain has no gap', ({ user, records }, report) => {
  if (!user?.after) return;
  let last = user.before?.last_hash ?? '';
  for (const record of records) {
    const expected = hashOf(last, record);
    if (record.kind === 'orders' && record.last_hash !== last)
      report(`${record.sk} has a wrong previous hash`);
    if (record.hash !== expected) report(`the hash of ${record.sk} does not follow from the one before it`);
    last = expected;
  }
  if (user.after.last_hash !== last) report('the user does not have the hash of its last record');
});

const idPrefix = { tickets: 'txn', entries: 'txn', outcomes: 'out', orders: 'ord' } as Record<string, string>;
const keyPrefix = (record: StoredItem) =>
  `${listOf(record).replace(/^[a-z]+/, (kind) => kind.toUpperCase())}#`;

/**
 * Returns a record's partition key in the global secondary index: organization, list and the user's shard.
 */
function partitionOf(record: StoredItem): string {
  const partition = `${shortId(record.organization_id)}#${listOf(record)}`;
  return `${partition}#${shardOf(record.user_id)}`;
}

/** The ULIDs of a user's records increase. A record's id, sort keys and times match its ULID. */
export const identities = ofEachUser('ids of a user increase', ({ user, records }, report) => {
  if (!user?.after) return;
  let last: string = user.before?.last_ulid ?? '';
  for (const record of records) {
    const ulid = ulidIn(idOf(record));
    const time = new Date(timeIn(ulid)).toISOString();
    if (ulid <= last) report(`${record.sk} does not come after ${last}`);
    if (idOf(record) !== `${idPrefix[record.kind]}_${ulid}`)
      report(`${record.sk} has the id ${idOf(record)}`);
    if (record.sk !== keyPrefix(record) + ulid) report(`${record.sk} does not match the ULID ${ulid}`);
    if (record.tsk !== ulid || record.tpk !== partitionOf(record))
      report(`${record.sk} is in the index as ${record.tpk} ${record.tsk}`);
    if (record.date_created !== time || (record.kind === 'outcomes' && record.timestamp !== time))
      report(`the times of ${record.sk} are not that of its ULID`);
    last = ulid;
  }
  if ((user.after.last_ulid ?? '') !== last) report(`the user's last ULID is ${user.after.last_ulid}`);
});

/** Every 64th record of a list has a milestone, which stores the record's ULID. Orders have none. */
export const milestones = ofEachUser(
  'every 64th record has a milestone',
  ({ records, milestones }, report) => {
    const due = records.flatMap((record) => {
      if (record.kind === 'orders') return [];
      const numbers: [string, number][] = [[record.kind, record.number]];
      if (record.kind === 'entries') numbers.push([listOf(record), record.number_of_type]);
      return numbers
        .filter(([, number]) => number % 64 === 0)
        .map(([list, number]) => `NTH#${list}#${String(number).padStart(16, '0')} ${ulidIn(idOf(record))}`);
    });
    const made = milestones.map(({ sk, ulid }) => `${sk} ${ulid}`);
    if (!isSame(due.sort(), made.sort())) report(`the milestones are ${made}, but should be ${due}`);
  },
);

/** Apart from clock skew, no time in a new item is later than the item's write. */
const notInFuture: StepRule = {
  rule: 'no time is in the future',
  start:
    (report, { clockErrorMs }) =>
    (step) => {
      for (const { change } of step.all) {
        const { before, after } = change;
        if (before || !after) continue;
        const time = after.order_id
          ? timeIn(ulidIn(after.order_id))
          : Date.parse(after.date_created ?? after.timestamp);
        if (time > step.at + clockErrorMs) report(`${after.pk} ${after.sk} is ${time - step.at} ms ahead`);
      }
    },
};

/** A record is written within a minute of its id's time, because reports are final after a minute. */
const writtenInTime: StepRule = {
  rule: 'a record is written within a minute of its time',
  start:
    (report, { clockErrorMs }) =>
    (step) => {
      for (const { pk, records } of step.users) {
        for (const record of records) {
          const age = step.at - timeIn(ulidIn(idOf(record)));
          if (age > 60_000 + clockErrorMs) report(`${pk} ${record.sk}: ${age} ms old, by ${step.writer}`);
        }
      }
    },
};

export const recordRules = [
  versions,
  withUser,
  numbering,
  chain,
  textDigests,
  identities,
  milestones,
  notInFuture,
  writtenInTime,
];
