import { expect, test } from 'vitest';
import { beacon, servedRound } from '../relays.ts';
import { queueing, roundDecided, run } from './example-plays.ts';
import { changed, rulesBrokenBy } from './examples.ts';

const midnight = Date.parse('2026-03-06T05:00:00Z');
const round = midnight / 3000 + 1;
const hourMs = 3_600_000;

test('a signed round, or one that is out after an hour, breaks no rule', () => {
  expect(rulesBrokenBy(roundDecided())).toEqual([]);
  expect(rulesBrokenBy(roundDecided({ out: true, signature: undefined }))).toEqual([]);
});

const decided = 'a round has the beacon’s signature, or is out after an hour';
const keyOf = (number: number, chain = beacon.chain) => ({ pk: `BEACON#${chain}#${number}` });

test.each([
  ['of another signature', { signature: servedRound(round + 1).signature }],
  ['that is out although it is available', { out: true }],
  ['that is nothing', { signature: undefined }],
  ['of no midnight', { ...keyOf(round + 1), signature: servedRound(round + 1).signature }],
  ['of another beacon', keyOf(round, 'ab'.repeat(32))],
])('an invalid round is detected: %s', (_, fields) => {
  expect(rulesBrokenBy(changed(roundDecided(), 'BEACON', fields))).toContain(decided);
});

test('a round that is out within an hour is detected, apart from clock skew', () => {
  const out = roundDecided({ out: true, signature: undefined });
  expect(rulesBrokenBy({ ...out, at: midnight + hourMs - 2001 })).toContain(decided);
  expect(rulesBrokenBy({ ...out, at: midnight + hourMs - 2000 })).toEqual([]);
});

test('queued spins without their round are detected; guests’ spins need none', () => {
  const rule = 'queued spins use the beacon’s round';
  const out = { out: true, signature: undefined };
  const forgotten = changed(run(2), 'OUTCOMES#', { beacon_round: undefined });
  expect(rulesBrokenBy(queueing(), run(2))).toContain(rule);
  expect(rulesBrokenBy(queueing(), run(2), roundDecided())).toContain(rule);
  expect(rulesBrokenBy(queueing(), roundDecided(), run(2))).toEqual([]);
  expect(rulesBrokenBy(queueing(), roundDecided(out), run(2))).toContain(rule);
  expect(rulesBrokenBy(queueing(), roundDecided(), forgotten)).toContain(rule);
  const guests = changed(queueing(), 'ORDERS#', { beacon: undefined });
  const [{ writer, at, changes }, without] = [run(2), { beacon_round: undefined }];
  const alone = changes.map(({ before, after }) => ({ before, after: after && { ...after, ...without } }));
  expect(rulesBrokenBy(guests, { writer, at, changes: alone })).not.toContain(rule);
});
