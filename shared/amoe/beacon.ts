/** Gets the beacon's randomness for queued spins. The table stores one result per round, which all workers use. */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { cachedPromises } from '../promises.ts';
import { RETRY, retry } from '../retry.ts';
import { type Beacon, type StageBeacon, stageBeacons } from '../stage-beacon.ts';
import { get, put } from '../table/client.ts';
import { beaconRoundKey } from '../table/keys.ts';
import { maxClockSkewMs } from './checkpoint.ts';
import { randomnessOf, roundAt, timeOfRound } from './drand.ts';
import type { BeaconRound } from './order-spins.ts';
import { askRelays, BeaconUnavailable } from './relays.ts';

/** If no relay has a round one hour after the round's time, the round counts as unavailable. */
export const outAfterMs = 3_600_000;

const remembered = cachedPromises<BeaconRound>(100);

/** Returns the beacon's first round at or after `drawsAt`. Throws BeaconUnavailable like `decidedRound`. */
export async function randomnessFor(
  /** drand's hash of the beacon. */
  chain: string,
  /** The time from which the order's checkpoint allows draws, in epoch milliseconds. */
  drawsAt: number,
  now: number,
  ask = askRelays,
): Promise<BeaconRound> {
  const beacon = stageBeacons().find((known) => known.chain === chain);
  if (!beacon) throw new Error(`orders promise the beacon ${chain}: list it in formerBeacons of the stage`);
  const round = roundAt(beacon, drawsAt);
  return remembered(`${beacon.chain} ${round}`, () => decidedRound(beacon, round, now, ask));
}

/**
 * Returns and stores a round's result. If no relay has the round, throws BeaconUnavailable until one hour after the
 * round's time, and then stores the result `out`.
 */
export async function decidedRound(
  beacon: StageBeacon,
  round: number,
  now: number,
  ask = askRelays,
): Promise<BeaconRound> {
  const known = await retry(() => get<StoredRound>(beaconRoundKey(beacon.chain, round)));
  return checked(beacon, round, known ?? (await decide(beacon, round, now, ask)), now);
}

/**
 * Stored result of a beacon round. `of` is the beacon's key and timing, with which the signature can be
 * verified later.
 */
export type StoredRound = { signature: string; of: Omit<Beacon, 'chain'> } | { out: true };

const firstUse = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Gets and stores a round's result, or returns the result that another worker stored first. */
async function decide(
  beacon: StageBeacon,
  round: number,
  now: number,
  ask: typeof askRelays,
): Promise<StoredRound> {
  const key = beaconRoundKey(beacon.chain, round);
  const item = { ...key, ...(await signedOrOut(beacon, round, now, ask)) };
  return retry(async () => ((await put(item, firstUse)) ? item : ((await get<StoredRound>(key)) ?? RETRY)));
}

async function signedOrOut(
  beacon: StageBeacon,
  round: number,
  now: number,
  ask: typeof askRelays,
): Promise<StoredRound> {
  try {
    const { public_key, genesis_time, period } = beacon;
    return { signature: await ask(beacon, round), of: { public_key, genesis_time, period } };
  } catch (error) {
    if (!(error instanceof BeaconUnavailable)) throw error;
    const isOut = now >= outFrom(beacon, round);
    log.warn(isOut ? 'the beacon was out' : 'the beacon is unavailable', { reason: error.message });
    count('BeaconUnavailable', 1);
    if (!isOut) throw error;
    return { out: true };
  }
}

const outFrom = (beacon: StageBeacon, round: number) => timeOfRound(beacon, round) + outAfterMs;

/** Verifies a stored round. Otherwise, anybody who can write to the table could choose the randomness of draws. */
function checked(beacon: StageBeacon, round: number, stored: StoredRound, now: number): BeaconRound {
  const wrong = (what: string) => new Error(`stored round ${round} of ${beacon.chain} ${what}`);
  if (!('signature' in stored)) {
    if (now < outFrom(beacon, round) - maxClockSkewMs) throw wrong('is marked as out too early');
    return { round, out: true };
  }
  const randomness = randomnessOf(beacon, round, stored.signature);
  if (randomness === undefined) throw wrong('has an invalid signature');
  return { round, randomness };
}
