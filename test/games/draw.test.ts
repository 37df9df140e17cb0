import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatDraw } from '../../shared/books/check/draws.ts';
import { leafLineOf } from '../../shared/books/leaf-line.ts';
import { type OutcomeLeaf, parseLeaf } from '../../shared/books/leaves.ts';
import { isTicketsOnly, noGrants } from '../../shared/games/budgets.ts';
import { commitmentTo, draw, prizesDigest, randomBelow } from '../../shared/games/draw.ts';
import { spin } from '../../shared/games/outcomes.ts';
import { defaultPrizeTables, type Prize, type PrizeTable } from '../../shared/games/prize-tables.ts';
import { gameStatusOf, jackpotOf } from '../../shared/games/prizes.ts';
import { prizesInDraw } from '../../shared/games/rules.ts';
import { seedOfPlay } from '../../shared/games/seeds.ts';
import { games } from '../../shared/vocabulary.ts';
import { times } from '../support/api.ts';
import { newUser } from './support/user.ts';

const withCash = (limit: number) => ({ cash: { grants: 0, granted: 0, limit } });
const seed = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const seeds = fc.record({
  serverSeed: seed,
  clientSeed: fc.string({ unit: 'grapheme', maxLength: 255 }),
  spinIndex: fc.nat({ max: 999 }),
});

type Given = { clientSeed: string; spinIndex: number };
const messageOf =
  ({ clientSeed, spinIndex }: Given) =>
  (counter: number) =>
    `${clientSeed} ${spinIndex} ${counter}`;

/** Checks by a chi-square test that the draws match the weights of the prizes. Prints the statistic. */
function expectByWeight(prizes: readonly Prize[], drawn: Map<string, number>, draws: number) {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  const chiSquare = prizes.reduce((sum, { id, weight }) => {
    const expected = (draws * weight) / total;
    return sum + ((drawn.get(id) ?? 0) - expected) ** 2 / expected;
  }, 0);
  const freedom = prizes.length - 1;
  console.log(`chi-square ${chiSquare.toFixed(1)} with ${freedom} degrees of freedom`);
  // A fair draw exceeds this chi-square quantile (Wilson and Hilferty, z = 4.265) in 1 of 100,000 cases.
  const bound = freedom * (1 - 2 / (9 * freedom) + 4.265 * Math.sqrt(2 / (9 * freedom))) ** 3;
  expect(chiSquare).toBeLessThan(bound);
}

describe('the draw', () => {
  test.each(games)('10,000 draws from the default table of %s match its weights', (game) => {
    const { prizes } = defaultPrizeTables[game];
    const draws = 10_000;
    const drawn = new Map<string, number>();
    // The seed depends only on the game, so every run has the same draws.
    const serverSeed = commitmentTo(Buffer.from(game).toString('hex'));
    for (let spinIndex = 0; spinIndex < draws; spinIndex++) {
      const { id } = draw(prizes, { serverSeed, clientSeed: 'chi-square', spinIndex });
      drawn.set(id, (drawn.get(id) ?? 0) + 1);
    }
    expectByWeight(prizes, drawn, draws);
  });

  /** Returns the first word below `total` in the digests with the given counters, or undefined if there is none. */
  const firstWordBelow = (total: number, given: Given & { serverSeed: string }, counters: number[]) => {
    const bits = (total - 1).toString(2).length;
    const keep = total === 1 ? 0n : 2n ** BigInt(bits) - 1n;
    const words = counters
      .map((counter) =>
        createHmac('sha256', Buffer.from(given.serverSeed, 'hex'))
          .update(messageOf(given)(counter))
          .digest('hex'),
      )
      .flatMap((hex) => hex.match(/.{8}/g)!);
    return words.map((word) => BigInt(`0x${word}`) & keep).find((word) => word < BigInt(total));
  };

  test('takes the first masked word below the total of the weights', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 2 ** 31 }), (given, total) => {
        const fitting = firstWordBelow(total, given, [0, 1, 2, 3]);
        fc.pre(fitting !== undefined);
        expect(randomBelow(total, given.serverSeed, messageOf(given))).toBe(Number(fitting));
      }),
    );
  });

  test('makes a second digest if no word of the first one fits', () => {
    // About half of all words are above this total, and a digest has eight words.
    const total = 2 ** 20 + 1;
    const given = times(10_000, (spinIndex) => ({
      serverSeed: '07'.repeat(32),
      clientSeed: '',
      spinIndex,
    })).find((given) => firstWordBelow(total, given, [0]) === undefined)!;
    const second = firstWordBelow(total, given, [1])!;
    expect(randomBelow(total, given.serverSeed, messageOf(given))).toBe(Number(second));
  });

  test('is unbiased: it discards words that are too high instead of taking a remainder (no modulo)', () => {
    const counts = [0, 0, 0];
    const serverSeed = '07'.repeat(32);
    for (let spinIndex = 0; spinIndex < 9000; spinIndex++) {
      counts[randomBelow(3, serverSeed, messageOf({ clientSeed: '', spinIndex }))]! += 1;
    }
    // A biased draw, which takes words from 0 to 3 modulo 3, would give 4,500 zeros instead of 3,000.
    for (const count of counts) expect(Math.abs(count - 3000)).toBeLessThan(200);
  });

  test('never gives a prize beyond the remaining cash, and only tickets for tickets_only', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.constantFrom(...games),
        fc.nat({ max: 120 }),
        fc.boolean(),
        (given, game, left, ticketsOnly) => {
          const { prizes } = defaultPrizeTables[game];
          const prize = draw(
            prizesInDraw(prizes, withCash(left), ticketsOnly ? 'tickets_only' : undefined),
            given,
          );
          if (ticketsOnly || left === 0) expect(prize.kind).toBe('tickets');
          if (prize.kind === 'cash_usd') expect(prize.amount).toBeLessThanOrEqual(left);
        },
      ),
    );
  });

  test('changes with each seed, the spin index and the prizes', () => {
    const { prizes } = defaultPrizeTables.prizewheel;
    const drawn = (changes: object, of = prizes) =>
      times(40, (spinIndex) => {
        const given = { serverSeed: '00'.repeat(32), clientSeed: 'a', spinIndex, ...changes };
        return draw(of, given).id;
      });
    expect(new Set(drawn({})).size).toBeGreaterThan(5);
    expect(drawn({ clientSeed: 'b' })).not.toEqual(drawn({}));
    expect(drawn({ serverSeed: '01'.repeat(32) })).not.toEqual(drawn({}));
    expect(drawn({ spinIndex: 7 }).every((id, _, [first]) => id === first)).toBe(true);
    const changed = prizes.map((prize) => (prize.id === 'tickets-1' ? { ...prize, amount: 2 } : prize));
    expect(drawn({}, changed)).not.toEqual(drawn({}));
  });

  test('after a denied cash prize, the second draw gives the other prizes by their weights', () => {
    const { prizes } = defaultPrizeTables.prizewheel;
    const mostlyCash = prizes.map((prize) => (prize.id === 'cash-100' ? { ...prize, weight: 5000 } : prize));
    const left = prizesInDraw(mostlyCash, withCash(99));
    const again = new Map<string, number>();
    const serverSeed = commitmentTo('5eed');
    let denied = 0;
    for (let spinIndex = 0; denied < 3000; spinIndex++) {
      const given = { serverSeed, clientSeed: '', spinIndex };
      if (draw(mostlyCash, given).id !== 'cash-100') continue;
      const { id } = draw(left, given);
      again.set(id, (again.get(id) ?? 0) + 1);
      denied += 1;
    }
    expectByWeight(left, again, denied);
  });

  test('uses the digest of the prizes, the spin index, a counter and the client seed', () => {
    const { prizes } = defaultPrizeTables.flight;
    const set = prizes.map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
    const digest = createHash('sha256').update(JSON.stringify(set)).digest('hex');
    fc.assert(
      fc.property(seeds, (given) => {
        const { serverSeed, clientSeed, spinIndex } = given;
        let left = randomBelow(10_000, serverSeed, (at) => `${digest}\n${spinIndex}\n${at}\n${clientSeed}`);
        const drawn = prizes.find(({ weight }) => {
          left -= weight;
          return left < 0;
        });
        expect(draw(prizes, given)).toBe(drawn);
      }),
    );
  });

  test('the digest ignores prizes without weight', () => {
    const { prizes } = defaultPrizeTables.truck;
    const [first, ...others] = prizes;
    expect(prizesDigest([{ ...first!, weight: 0 }, ...others])).toBe(prizesDigest(others));
  });

  test('the commitment to a server seed is the SHA-256 of its bytes', () => {
    expect(commitmentTo('00'.repeat(32))).toBe(
      '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',
    );
  });

  test('a draw without any weight throws an error', () => {
    const cash = defaultPrizeTables.truck.prizes.filter(({ kind }) => kind === 'cash_usd');
    const given = { serverSeed: '00'.repeat(32), clientSeed: '', spinIndex: 0 };
    expect(() => draw(prizesInDraw(cash, withCash(0)), given)).toThrow('no prize can be drawn');
  });
});

describe('a spin', () => {
  const now = Date.parse('2026-03-10T15:00:00.000Z');
  const budgetsOf = (left: number) => ({
    day: '2026-03-10',
    cash: {
      ...noGrants,
      day: '2026-03-10',
      grants: 3,
      granted: { usd: 120 - left },
      limit: 120,
      limitOfDay: 120,
    },
  });
  const expires_at = '2026-03-10T15:30:00.000Z';
  const spinOf = (given: Parameters<typeof draw>[1], changes: Partial<Parameters<typeof spin>[1]> = {}) => ({
    game: 'prizewheel' as const,
    table: defaultPrizeTables.prizewheel,
    playType: 'regular' as const,
    seeds: given,
    seedFields: { secret_day: '2026-03-10', token_hash: 'A'.repeat(43), expires_at },
    budgets: budgetsOf(100),
    cost: 1,
    winLimit: 0,
    tracking: { tracked_prizes: 'cash_usd', claim_days: 30 },
    resultEffectiveDate: '2026-03-10T04:00:00.000Z',
    ...changes,
  });
  const anySpin = fc.record({
    seeds,
    game: fc.constantFrom(...games),
    budgets: fc.nat({ max: 120 }).map(budgetsOf),
    cost: fc.nat({ max: 10 }),
    winLimit: fc.nat({ max: 2 }),
    debug: fc.constantFrom(undefined, 'jackpot' as const, 'tickets_only' as const),
  });

  /** Repeats the draw of an outcome. Returns its differences from the recorded outcome. */
  const faultsOf = (outcome: object, secret: Buffer, { prizes }: PrizeTable) => {
    const leaf = parseLeaf(leafLineOf(outcome)) as OutcomeLeaf | undefined;
    return leaf ? repeatDraw(leaf, secret, prizes).faults : ['no record'];
  };

  test('records a draw that passes the check, and a forged record fails it', () => {
    fc.assert(
      fc.property(anySpin, ({ seeds: given, game, ...rest }) => {
        const table = defaultPrizeTables[game];
        const clientSeed = given.clientSeed.slice(0, 255).toWellFormed();
        const secret = Buffer.from(given.serverSeed, 'hex');
        const { user_id } = newUser();
        const { cost, debug } = rest;
        const promise = { user_id, game, cost, prize_table_version: table.version, expires_at, debug };
        const serverSeed = seedOfPlay(secret, 'A'.repeat(43), promise);
        const play = { serverSeed, clientSeed, spinIndex: 0 };
        const { outcome } = spin(newUser({ tickets: 50 }), spinOf(play, { game, table, ...rest }), now);
        expect(faultsOf(outcome, secret, table)).toEqual([]);
        const [[kind = '', amount = 0] = []] = Object.entries(outcome.prize);
        const another = table.prizes.find(({ id }) => id !== outcome.prize_id)!.id;
        const forged = [
          { ...outcome, prize_id: another },
          { ...outcome, budgets: outcome.budgets ? undefined : withCash(500) },
          { ...outcome, prize: { [kind]: amount + 1 } },
        ];
        for (const record of forged) expect(faultsOf(record, secret, table)).not.toEqual([]);
      }),
    );
  });

  test('credits ticket and entry prizes with their outcome, as transactions with its outcome_id, and grants cash', () => {
    fc.assert(
      fc.property(anySpin, ({ seeds: given, game, ...rest }) => {
        const table = defaultPrizeTables[game];
        const before = newUser({ tickets: 50 });
        const { user, records, outcome, budgets } = spin(
          before,
          spinOf(given, { game, table, ...rest }),
          now,
        );
        const { tickets = 0, entry_truck = 0, entry_flight = 0, cash_usd = 0 } = outcome.prize;
        expect(user.balances).toEqual({
          tickets: 50 - rest.cost + tickets,
          truck: entry_truck,
          flight: entry_flight,
        });
        const grantedUsd = rest.debug === 'jackpot' ? 0 : cash_usd;
        expect(budgets.cash).toMatchObject({
          ...rest.budgets.cash,
          grants: grantedUsd > 0 ? 4 : 3,
          granted: { usd: rest.budgets.cash.granted.usd + grantedUsd },
          grantedOnDay: grantedUsd > 0 ? { usd: grantedUsd } : {},
        });
        expect(records[0]).toBe(outcome);
        const kinds = [
          'outcomes',
          ...(rest.cost ? ['tickets'] : []),
          ...(tickets ? ['tickets'] : []),
          ...(entry_truck || entry_flight ? ['entries'] : []),
        ];
        expect(records.map(({ kind }) => kind)).toEqual(kinds);
        expect(records.map(({ sequence }) => sequence)).toEqual(kinds.map((_, index) => index + 1));
        for (const record of records.slice(1)) expect(record).toMatchObject({ outcome_id: outcome.id });
        expect(Object.keys(outcome.prize)).toHaveLength(1);
        expect(outcome.game_status).toBe(gameStatusOf[Object.keys(outcome.prize)[0] as Prize['kind']]);
      }),
    );
  });

  test('with a debug jackpot gives the highest cash prize and does not change the day’s cash', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(...games), (given, game) => {
        const table = defaultPrizeTables[game];
        const jackpot = spinOf(given, { game, table, debug: 'jackpot', cost: 0, budgets: budgetsOf(0) });
        const { outcome, budgets } = spin(newUser(), jackpot, now);
        expect(outcome).toMatchObject({ prize: { cash_usd: 100 }, debug: 'jackpot' });
        expect(outcome).not.toHaveProperty('budgets');
        expect(budgets).toEqual(budgetsOf(0));
      }),
    );
  });

  test('draws only tickets if the remaining cash covers no cash prize', () => {
    const { prizes } = defaultPrizeTables.truck;
    expect(isTicketsOnly(prizes, withCash(1))).toBe(true);
    expect(isTicketsOnly(prizes, withCash(2))).toBe(false);
    expect(isTicketsOnly(prizes, {})).toBe(false);
    const withoutCash = prizes.filter(({ kind }) => kind !== 'cash_usd');
    expect(isTicketsOnly(withoutCash, withCash(0))).toBe(false);
    expect(jackpotOf(withoutCash)).toBeUndefined();
  });
});
