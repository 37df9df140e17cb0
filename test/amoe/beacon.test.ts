import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { localBeacon, signRound } from '../../infra/develop/local/beacon.ts';
import { decidedRound, randomnessFor } from '../../shared/amoe/beacon.ts';
import { quicknet, roundAt, timeOfRound } from '../../shared/amoe/drand.ts';
import { askRelays, BeaconUnavailable } from '../../shared/amoe/relays.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';
import { client, get, put } from '../../shared/table/client.ts';
import { beaconRoundKey } from '../../shared/table/keys.ts';
import { addDays, startOfDay } from '../../shared/time.ts';
import { watchingCalls } from '../support/calls.ts';
import { counted } from '../support/counted.ts';
import { useOwnTable } from '../support/own-table.ts';
import { waitMs } from '../support/patience.ts';
import { beaconAt, honest, type Relay, startRelay } from '../support/relay.ts';

const hourMs = 3_600_000;
let relay: Relay;
beforeAll(async () => {
  await useOwnTable('beacon');
  relay = await startRelay();
});
afterAll(() => relay.close());

/** Each test uses another day, because the process caches the beacon rounds of earlier days. */
let day = '2026-01-01';
let round: number;
let midnight: number;
beforeEach(() => {
  day = addDays(day, 1);
  midnight = startOfDay(day);
  round = roundAt(localBeacon, midnight);
  relay.asked.length = 0;
  relay.behave(honest);
  vi.stubEnv('BEACON', JSON.stringify(beaconAt(relay)));
  return () => vi.unstubAllEnvs();
});

const stored = () => get(beaconRoundKey(localBeacon.chain, round));
const store = (fields: object) => put({ ...beaconRoundKey(localBeacon.chain, round), ...fields });
const fail = () => relay.behave((_, response) => response.writeHead(500).end());
/** Requests a beacon round. Asks each relay once: the pause before a second request would exceed the time limit. */
const ask = (beacon: StageBeacon, of: number) =>
  askRelays(beacon, of, { totalMs: waitMs, answerMs: waitMs, pauseMs: waitMs });
const randomnessOfRound = () => createHash('sha256').update(signRound(round), 'hex').digest('hex');
/** Decides the result of the round without the cache of this process, as a worker in another process would. */
const elsewhere = (now: number, relays = ask) => decidedRound(beaconAt(relay), round, now, relays);

describe('the randomness of a day', () => {
  test('comes from the first round at midnight in New York, however late it is requested', async () => {
    const randomness = randomnessOfRound();
    expect(timeOfRound(localBeacon, round)).toBe(midnight);
    expect(await randomnessFor(localBeacon.chain, midnight, midnight + 20 * hourMs)).toEqual({
      round,
      randomness,
    });
    expect(relay.asked).toEqual([`/${localBeacon.chain}/public/${round}`]);
  });

  test('is refused if the stage does not know the beacon that the order names', async () => {
    for (const other of [
      'none',
      '',
      undefined,
      JSON.stringify({ ...beaconAt(relay), chain: 'ab'.repeat(32) }),
    ]) {
      vi.stubEnv('BEACON', other);
      const asked = randomnessFor(localBeacon.chain, midnight, midnight);
      await expect(asked).rejects.toThrow('list it in formerBeacons');
    }
    expect(relay.asked).toEqual([]);
  });

  test('can come from a former beacon of the stage', async () => {
    vi.stubEnv('FORMER_BEACONS', JSON.stringify([beaconAt(relay)]));
    for (const other of ['none', JSON.stringify({ ...beaconAt(relay), chain: 'ab'.repeat(32) })]) {
      vi.stubEnv('BEACON', other);
      const found = await randomnessFor(localBeacon.chain, midnight, midnight);
      expect(found).toEqual({ round, randomness: randomnessOfRound() });
    }
  });

  test('is requested once by a process, and read from the table by all others', async () => {
    const expected = { round, randomness: randomnessOfRound() };
    const { calls } = await watchingCalls(client, async () => {
      await Promise.all([
        randomnessFor(localBeacon.chain, midnight, midnight),
        randomnessFor(localBeacon.chain, midnight, midnight),
      ]);
      expect(await randomnessFor(localBeacon.chain, midnight, midnight)).toEqual(expected);
    });
    expect(calls.map(({ operation }) => operation)).toEqual(['GetItem', 'PutItem']);
    expect(await stored()).toMatchObject({ signature: signRound(round) });
    fail();
    expect(await elsewhere(midnight)).toEqual(expected);
    expect(relay.asked).toHaveLength(1);
  });

  test('differs from beacon to beacon', async () => {
    await randomnessFor(localBeacon.chain, midnight, midnight);
    const chain = 'ab'.repeat(32);
    vi.stubEnv('BEACON', JSON.stringify({ ...beaconAt(relay), chain }));
    relay.behave((path, response) => honest(path.replace(chain, localBeacon.chain), response));
    await randomnessFor(chain, midnight, midnight);
    expect(relay.asked.at(-1)).toBe(`/${chain}/public/${round}`);
  });

  test('is refused if the environment’s beacon is malformed', async () => {
    for (const text of ['{}', 'quicknet', JSON.stringify({ ...quicknet, relays: [] })]) {
      vi.stubEnv('BEACON', text);
      await expect(randomnessFor(localBeacon.chain, midnight, midnight)).rejects.toThrow();
    }
  });
});

describe('while no relay has the round', () => {
  test('the beacon is unavailable, and the next call asks again', async () => {
    fail();
    const early = () => randomnessFor(localBeacon.chain, midnight, midnight, ask);
    const alarms = await counted('BeaconUnavailable', () =>
      expect(early()).rejects.toThrow(BeaconUnavailable),
    );
    expect(alarms).toEqual([1]);
    await expect(randomnessFor(localBeacon.chain, midnight, midnight + hourMs - 1, ask)).rejects.toThrow(
      'status 500',
    );
    expect(await stored()).toBeUndefined();
    relay.behave(honest);
    expect(await randomnessFor(localBeacon.chain, midnight, midnight + hourMs - 1)).toMatchObject({
      randomness: randomnessOfRound(),
    });
  });

  test('the beacon counts as out after an hour, permanently', async () => {
    fail();
    expect(await randomnessFor(localBeacon.chain, midnight, midnight + hourMs, ask)).toEqual({
      round,
      out: true,
    });
    expect(await stored()).toMatchObject({ out: true });
    relay.behave(honest);
    expect(await randomnessFor(localBeacon.chain, midnight, midnight + hourMs)).toEqual({ round, out: true });
    expect(await elsewhere(midnight + 30 * hourMs)).toEqual({ round, out: true });
  });

  test('a stored round can still be read', async () => {
    await randomnessFor(localBeacon.chain, midnight, midnight);
    fail();
    expect(await elsewhere(midnight + 2 * hourMs)).toEqual({ round, randomness: randomnessOfRound() });
  });
});

describe('concurrent workers get the same result', () => {
  test.each(['finds', 'misses'])('if the first one %s the round and the other does not', async (does) => {
    // Makes both workers read the table before either of them writes to it.
    const [bothAsked, firstDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asking = 0;
    const worker = (isFirst: boolean) =>
      elsewhere(midnight + hourMs, async () => {
        if (++asking === 2) bothAsked.resolve();
        await (isFirst ? bothAsked : firstDone).promise;
        if (isFirst === (does === 'finds')) return signRound(round);
        throw new BeaconUnavailable('not there');
      });
    const [first, second] = [worker(true), worker(false)];
    const decided = does === 'finds' ? { round, randomness: randomnessOfRound() } : { round, out: true };
    expect(await first).toEqual(decided);
    firstDone.resolve();
    expect(await second).toEqual(decided);
  });

  test('if the response to a write is lost', async () => {
    const lost = Object.assign(new Error('lost'), { name: 'TimeoutError' });
    const { result } = await watchingCalls(
      client,
      () => randomnessFor(localBeacon.chain, midnight, midnight),
      ({ operation }, index) => (operation === 'PutItem' && index < 3 ? { after: lost } : undefined),
    );
    expect(result).toEqual({ round, randomness: randomnessOfRound() });
  });
});

describe('write access to the table is not enough to choose the randomness', () => {
  test.each([
    ['another round’s signature', () => ({ signature: signRound(round + 1) })],
    [
      'a forged signature with a randomness',
      () => ({ signature: 'ab'.repeat(48), randomness: 'ab'.repeat(32) }),
    ],
    ['no signature', () => ({ signature: null })],
  ])('%s causes an error, not an outage', async (_, fields) => {
    await store(fields());
    for (const now of [midnight, midnight + 2 * hourMs])
      await expect(randomnessFor(localBeacon.chain, midnight, now)).rejects.toThrow(
        /has an invalid signature/,
      );
    expect(relay.asked).toEqual([]);
  });

  test('an outage stored before the hour is over causes an error', async () => {
    await store({ out: true });
    await expect(randomnessFor(localBeacon.chain, midnight, midnight + hourMs / 2)).rejects.toThrow(
      'is marked as out too early',
    );
    // Accepts the stored result `out` (a missing round), even with a clock two seconds behind the other worker's.
    expect(await randomnessFor(localBeacon.chain, midnight, midnight + hourMs - 2000)).toEqual({
      round,
      out: true,
    });
  });
});
