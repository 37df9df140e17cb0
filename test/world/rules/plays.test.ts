import { describe, expect, test } from 'vitest';
import type { Commit, StoredItem } from '../journal.ts';
import { play, run, session } from './example-plays.ts';
import {
  changed,
  commitOf,
  organizationId,
  rulesBrokenBy,
  start,
  userWithTickets,
  without,
} from './examples.ts';

const once = 'a play URL is played once, as its page showed';
const inTime = 'a play URL is played within 30 minutes';
const counted = 'plays are counted by day, within the limit';
const made = 'a play URL has its organization’s cost and prize table';
const immutable = 'immutable items never change';

/** Returns a play whose session has the additional fields `before`. The play does not change these fields. */
function playOf(before: object): Commit {
  const commit = play();
  const index = commit.changes.findIndex(({ after }) => after?.sk === 'PLAY');
  const { after } = commit.changes[index]!;
  const changes = commit.changes.with(index, {
    before: { ...session(), ...before },
    after: { ...after!, ...before },
  });
  return { ...commit, changes };
}

test('a play breaks no rule', () => {
  expect(rulesBrokenBy(play())).toEqual([]);
});

describe('an invalid play is detected:', () => {
  test('without a play URL or without an outcome', () => {
    expect(rulesBrokenBy(without(play(), 'PLAY'))).toContain(once);
    expect(rulesBrokenBy(without(play(), 'OUTCOMES#'))).toContain(once);
  });

  test.each([
    { cost: 2 },
    { game: 'truck' },
    { date_created: '2026-03-05T15:00:00.000Z' },
    { user_id: 'usr_other' },
    { debug: 'jackpot' },
  ])('with a session that has %o', (before) => {
    expect(rulesBrokenBy(playOf(before))).toContain(once);
  });

  test('with another outcome, balance or seed in the session', () => {
    const { played } = play().changes.find(({ after }) => after?.sk === 'PLAY')!.after!;
    for (const other of [
      { ...played, balance: 99 },
      { ...played, ulid: 'x' },
      { ...played, server_seed: '0'.repeat(64) },
    ])
      expect(rulesBrokenBy(changed(play(), 'PLAY', { played: other }))).toContain(once);
  });

  test('of a played URL', () => {
    const { played } = play().changes.find(({ after }) => after?.sk === 'PLAY')!.after!;
    const again = playOf({ played: { ...played, balance: 3 } });
    expect(rulesBrokenBy(again)).toContain(once);
    expect(rulesBrokenBy(commitOf('play/spin', [[{ ...session(), played }, session()]]))).toContain(
      immutable,
    );
  });

  test('of an expired URL', () => {
    expect(rulesBrokenBy(playOf({ expires_at: new Date(start).toISOString() }))).toContain(inTime);
    expect(rulesBrokenBy(playOf({ expires_at: new Date(start + 1).toISOString() }))).not.toContain(inTime);
  });

  test('with another effective date', () => {
    const date = { result_effective_date: '2026-03-05T05:00:00.000Z' };
    expect(rulesBrokenBy(changed(play(), 'OUTCOMES#', date))).toContain(inTime);
  });
});

describe('an invalid count of daily plays is detected:', () => {
  test('a play that is not counted, counted twice, or on another day', () => {
    for (const plays of [
      { day: '', count: 0 },
      { day: '2026-03-06', count: 2 },
      { day: '2026-03-05', count: 1 },
      { day: '2026-03-07', count: 1 },
    ])
      expect(rulesBrokenBy(changed(play(), 'USER', { plays }))).toContain(counted);
  });

  test('free spins that are counted', () => {
    expect(rulesBrokenBy(changed(run(2), 'USER', { plays: { day: '2026-03-06', count: 3 } }))).toContain(
      counted,
    );
  });

  test('more plays than the limit', () => {
    const sixth = play();
    sixth.changes[0]!.before = { ...userWithTickets(), plays: { day: '2026-03-06', count: 5 } };
    const commit = changed(sixth, 'USER', { plays: { day: '2026-03-06', count: 6 } });
    const organization = { pk: `ORG#${organizationId}`, sk: 'ORG', organization_id: organizationId };
    const set = (of: object, at: number) =>
      commitOf('operator', [[undefined, { ...organization, ...of }]], at);
    expect(rulesBrokenBy(commit)).toContain(counted);
    expect(rulesBrokenBy(set({ daily_spin_limit_on: false }, 0), commit)).not.toContain(counted);
    expect(rulesBrokenBy(set({ daily_spin_limit: 6 }, 0), commit)).not.toContain(counted);
    const changes = [
      set({ daily_spin_limit: 6 }, start - 9_000_000),
      set({ daily_spin_limit: 5 }, start - 100_000),
    ];
    expect(rulesBrokenBy(...changes, commit)).toContain(counted);
  });
});

describe('an invalid new play URL is detected:', () => {
  const issue = (of: object) => commitOf('games/play', [[undefined, { ...session(), ...of } as StoredItem]]);

  test('with another cost or prize table', () => {
    expect(rulesBrokenBy(issue({}))).toEqual([]);
    expect(rulesBrokenBy(issue({ cost: 0 }))).toContain(made);
    expect(rulesBrokenBy(issue({ game: 'truck' }))).toContain(made);
    expect(rulesBrokenBy(issue({ prize_table_version: 'prizewheel-0' }))).toContain(made);
    expect(rulesBrokenBy(issue({ cost: 0, debug: 'jackpot' }))).not.toContain(made);
  });

  test('valid for more than 30 minutes', () => {
    expect(rulesBrokenBy(issue({ expires_at: '2026-03-06T16:00:00.000Z' }))).toContain(made);
  });

  test('with a commitment to another seed', () => {
    expect(rulesBrokenBy(issue({ commitment: '6'.repeat(64) }))).toContain(made);
  });
});
