/**
 * The public randomness of a day, which nobody knows while spins are queued for the day. The table decides
 * each round once, for all workers: it holds the beacon's signature, or says that the beacon was out.
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

/** The decided result of a round: its randomness, 32 bytes in hex, or that the beacon was out. */
export type BeaconRound = { round: number; randomness: string } | { round: number; out: true };

/** The beacon counts as out if its round is missing for so long. */
export const outAfterMs = 3_600_000;
/** Maximum clock skew. */
const clocksDifferMs = 60_000;

const remembered = rememberPromises<BeaconRound>(100);

/**
 * Returns the round that spins due on a day mix in, of the beacon whose chain hash their order names: the
 * first round at or after midnight in New York, however late the spins run. An instance of a function asks
 * for a round once. Throws BeaconUnavailable while the round is not decided and no relay has it. Throws an
 * error for a beacon unknown to the stage.
 */
export async function randomnessFor(
  chain: string,
  dueDay: string,
  now: number,
  ask = askRelays,
): Promise<BeaconRound> {
  const beacon = stageBeacons().find((known) => known.chain === chain);
  if (!beacon) throw new Error(`the beacon ${chain} was promised: name it among formerBeacons of the stage`);
  const round = roundAt(beacon, startOfDay(dueDay));
  return remembered(`${beacon.chain} ${round}`, () => decidedRound(beacon, round, now, ask));
}

/**
 * Returns the decided result of a round, which never changes. If the round is undecided, asks the relays. If
 * no relay has the round, decides an hour after its time that the beacon was out; before that, throws
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

/** A stored round. It keeps the beacon's description, so that the signature can be checked later. */
export type StoredRound = { signature: string; of: Omit<Beacon, 'chain'> } | { out: true };

const firstUse = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Decides a round, or returns the decision of a faster worker. */
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
    log.warn(isOut ? 'the beacon was out' : 'the beacon is unavailable', { said: error.message });
    count('BeaconUnavailable', 1);
    if (!isOut) throw error;
    return { out: true };
  }
}

const outFrom = (beacon: StageBeacon, round: number) => timeOfRound(beacon, round) + outAfterMs;

/** Checks a stored round, since whoever can write to the table must not choose what is drawn. */
function checked(beacon: StageBeacon, round: number, stored: StoredRound, now: number): BeaconRound {
  const wrong = (what: string) => new Error(`the table says of round ${round} of ${beacon.chain} ${what}`);
  if (!('signature' in stored)) {
    if (now < outFrom(beacon, round) - clocksDifferMs) throw wrong('that it was out, before it can be');
    return { round, out: true };
  }
  const randomness = randomnessOf(beacon, round, stored.signature);
  if (randomness === undefined) throw wrong('a signature that is not its own');
  return { round, randomness };
}
