/**
 * Public randomness that queued spins mix in. Nobody can know it while the spins are queued. The table stores
 * each round's result once, for all workers: the beacon's signature, or that the beacon was out.
 */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { rememberPromises } from '../promises.ts';
import { RETRY, retry } from '../retry.ts';
import { type Beacon, type StageBeacon, stageBeacons } from '../stage-beacon.ts';
import { get, put } from '../table/client.ts';
import { beaconRoundKey } from '../table/keys.ts';
import { startOfDay } from '../time.ts';
import { randomnessOf, roundAt, timeOfRound } from './drand.ts';
import { askRelays, BeaconUnavailable } from './relays.ts';

/** Result of a round: its randomness (32 bytes in hex), or that the beacon was out. */
export type BeaconRound = { round: number; randomness: string } | { round: number; out: true };

/** The beacon counts as out if its round is still missing after an hour. */
export const outAfterMs = 3_600_000;
const maxClockSkewMs = 60_000;

const remembered = rememberPromises<BeaconRound>(100);

/**
 * Returns the round that queued spins mix in: the beacon's first round at or after midnight in New York of
 * their due day, however late they run. `chain` is the chain hash that their order names. Each process asks
 * for a round once. Throws BeaconUnavailable while no relay has the round, or an error if the stage does not
 * know the beacon.
 */
export async function randomnessFor(
  chain: string,
  dueDay: string,
  now: number,
  ask = askRelays,
): Promise<BeaconRound> {
  const beacon = stageBeacons().find((known) => known.chain === chain);
  if (!beacon) throw new Error(`orders promise the beacon ${chain}: list it in formerBeacons of the stage`);
  const round = roundAt(beacon, startOfDay(dueDay));
  return remembered(`${beacon.chain} ${round}`, () => decidedRound(beacon, round, now, ask));
}

/**
 * Returns the result of a round, which never changes once stored. If there is none, asks the relays. If no
 * relay has the round an hour after its time, stores that the beacon was out; before that, throws
 * BeaconUnavailable.
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
 * A stored round. Contains the beacon's public key and timing, so that the signature can be verified later.
 */
export type StoredRound = { signature: string; of: Omit<Beacon, 'chain'> } | { out: true };

const firstUse = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Stores the result of a round. Returns the stored result if another worker was faster. */
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

/** Verifies a stored round, because write access to the table must not be enough to influence a draw. */
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
