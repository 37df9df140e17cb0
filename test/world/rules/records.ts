/** Rules of data that books do not show: users' versions, and the times and text digests of records. */

import { hash } from 'node:crypto';
import { runEarly, timeIn, ulidIn } from './days-and-ulids.ts';
import { isSame, sortedJson } from './hashes.ts';
import { idOf } from './item-types.ts';
import type { ReportViolation, StepRule } from './rule.ts';
import type { UserStep } from './step.ts';

/** Creates a rule that checks the changes of each user in a write, without regard to earlier writes. */
const ofEachUser = (rule: string, check: (step: UserStep, report: ReportViolation) => void): StepRule => ({
  rule,
  start: (report) => (step) => {
    for (const user of step.users) check(user, (detail) => report(`${user.pk}: ${detail}`));
  },
});

/**
 * A new user has version 1, zero balances and no records. A repeated write may keep the version if it changes
 * nothing.
 */
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

/** The digest of a request’s description and idempotency key, after the user’s text key. */
const digestOfTexts = (key: string, record: Record<string, unknown>): string => {
  const { description, idempotency_key, reference, reason } = record;
  return hash(
    'sha256',
    `${key}\n${sortedJson({ description, idempotency_key, reference, reason })}`,
    'base64url',
  );
};

/** A record with events contains the user's external reference. */
const references = ofEachUser('records name their user’s reference', ({ user, records }, report) => {
  if (!user?.before) return;
  for (const { sk, kind, external_reference } of records) {
    const expected = kind === 'orders' ? undefined : user.before.external_reference;
    if (external_reference !== expected) report(`${sk} has the reference ${external_reference}`);
  }
});

/** A record with a host's texts contains their digest, keyed with the user's text key. Only erasures delete the key. */
const textDigests = ofEachUser('texts of hosts are hashed with the user’s key', (step, report) => {
  const key = step.user?.after?.text_key;
  const before = step.user?.before?.text_key;
  const isErased = key === undefined && step.user?.after?.erased_at !== undefined;
  if (step.user?.after && before !== undefined && key !== before && !isErased) report('the key has changed');
  if (key === undefined) return;
  for (const record of step.records) {
    const hasTexts = record.kind === 'claims' || record.idempotency_key !== undefined;
    const expected = hasTexts ? digestOfTexts(key, record) : undefined;
    if (record.texts !== expected) report(`${record.sk} has the digest ${record.texts}`);
  }
});

const following: Record<string, string[]> = {
  '': ['held', 'delivered', 'forfeited'],
  open: ['held', 'delivered', 'forfeited'],
  held: ['open', 'held', 'delivered', 'forfeited'],
};

/** No prize is delivered or forfeited twice, unless an operator corrects its state. */
const stepsOfPrizes: StepRule = {
  rule: 'steps of a prize follow from each other',
  start: (report) => {
    const states = new Map<string, string>();
    return (step) => {
      for (const { prize_id, state, correction } of step.users.flatMap(({ records }) => records)) {
        if (prize_id === undefined || state === undefined) continue;
        const before = states.get(prize_id) ?? '';
        if (!correction && !following[before]?.includes(state))
          report(`${prize_id} is ${state} after ${before}`);
        states.set(prize_id, state);
      }
    };
  },
};

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
        if (time > step.at + clockErrorMs && !runEarly(time, step.at))
          report(`${after.pk} ${after.sk} is ${time - step.at} ms ahead`);
      }
    },
};

/**
 * A record is written within a minute of its id's time, because reports promise all rows older than a minute. Only
 * reports on all users may lack rows for longer, because the index `byTime` lags.
 */
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
  references,
  textDigests,
  stepsOfPrizes,
  notInFuture,
  writtenInTime,
];
