import { describe, expect, test } from 'vitest';
import { lifetimes } from '../../infra/deploy/manifest.ts';
import type { StoredItem } from '../journal.ts';
import { due, order, play, roundDecided, session } from './example-plays.ts';
import { commitOf, credit, organizationId, rulesBrokenBy, start, userWithTickets } from './examples.ts';
import { shortId } from './item-types.ts';

const immutable = 'immutable items never change';
const vanishes = 'nothing is deleted too early';

const find = (sk: string, commit = credit()) =>
  commit.changes.find(({ after }) => after?.sk.startsWith(sk))!.after!;
const call = (of: object = {}) =>
  ({
    pk: `CALLS#${shortId(organizationId)}#2026-03-06`,
    sk: '01',
    organization_id: organizationId,
    ...of,
  }) as StoredItem;
const invocation = (of: object) =>
  ({ pk: `INVOKED#${organizationId}#wh_1`, sk: 'x', ttl: start / 1000 + 1e7, ...of }) as StoredItem;

describe('detected:', () => {
  test.each([
    ['a record changes', find('TICKETS#'), { description: 'another' }],
    ['an idempotency key changes', find('IDEM#'), { reply: {} }],
    ['an outcome changes', find('OUTCOMES#', play()), { prize: { cash_usd: 100 } }],
    ['a played URL changes', find('PLAY', play()), { played: {} }],
    ['an open play URL changes', session(), { cost: 0 }],
    ['an order changes', order(), { num_of_spins: 6 }],
    ['a due item changes', due(), { user_id: 'usr_other' }],
    ['a round of the beacon changes', find('BEACON', roundDecided()), { signature: 'another' }],
    ['a call changes', call(), { url: 'x' }],
    ['a queued invocation becomes unqueued', invocation({ queued: true }), { queued: false }],
  ])('%s', (_, before, fields) => {
    expect(rulesBrokenBy(commitOf('x', [[before, { ...before, ...fields }]]))).toContain(immutable);
  });

  test.each([
    ['a record', find('TICKETS#')],
    ['an idempotency key', find('IDEM#')],
    ['an order', order()],
    ['a due item', due()],
    ['a round of the beacon', find('BEACON', roundDecided())],
    ['a user', userWithTickets()],
    ['a play URL', session()],
  ])('%s is deleted', (_, before) => {
    expect(rulesBrokenBy(commitOf('play/spin', [[before, undefined]]))).toContain(vanishes);
    expect(rulesBrokenBy(commitOf('ttl', [[before, undefined]]))).toContain(vanishes);
  });

  test('a play URL is deleted before its TTL, but not after', () => {
    const expired = { ...session(), ttl: start / 1000 };
    expect(rulesBrokenBy(commitOf('ttl', [[expired, undefined]]))).toEqual([]);
    expect(rulesBrokenBy(commitOf('ttl', [[expired, undefined]], start - 1))).toContain(vanishes);
  });

  test.each([
    ['unplayed session', session()],
    ['played session', { ...session(), played: {} }],
    ['call', call()],
    ['invocation', invocation({})],
    ['follower', { pk: `FOLLOWER#${organizationId}`, sk: 'x' }],
    ['pace', { pk: `PACE#${organizationId}`, sk: 'PACE' }],
    ['active report', { pk: 'ACTIVE#0', sk: organizationId }],
  ] as [string, StoredItem][])('a TTL of another lifetime, or in milliseconds: %s', (name, item) => {
    const { seconds, promise } = lifetimes[name]!;
    const kept = (ttl: number | undefined) =>
      rulesBrokenBy(commitOf('x', [[undefined, { ...item, ttl } as StoredItem]]));
    expect(kept(start / 1000 + seconds), promise).not.toContain(vanishes);
    for (const extra of [-61, 4]) expect(kept(start / 1000 + seconds + extra)).toContain(vanishes);
    expect(kept(start + 1000 * seconds)).toContain(vanishes);
    expect(kept(undefined)).toContain(vanishes);
  });

  test('a record has a TTL', () => {
    const record = { ...find('TICKETS#'), ttl: 1 };
    expect(rulesBrokenBy(commitOf('x', [[undefined, record]]))).toContain(vanishes);
  });
});
