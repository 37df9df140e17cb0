/**
 * The public randomness of a day, which nobody knew while spins were queued for it. It is decided once, in the table: by
 * the beacon's signature, or by the statement that the beacon was out.
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

/** What a round of the beacon came to, for good: 32 bytes in hex, or that the beacon was out. */
export type BeaconRound = { round: number; randomness: string } | { round: number; out: true };

/** After so long without a round the beacon counts as out. */
export const outAfterMs = 3_600_000;
/** Clocks may differ by less than this. */
const clocksDifferMs = 60_000;

const remembered = rememberPromises<BeaconRound>(100);

/**
 * What spins mix in that were promised a beacon, by the hash of its chain, and are due on a day: the first round at or
 * after its midnight in New York, however late they run. An instance of a function asks for a round once. Throws
 * BeaconUnavailable while the round is neither decided nor to be had, and an error if the stage does not know the beacon.
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
 * What a round came to: the same for whoever asks, for good. If nobody has decided it yet, the relays are asked, and an
 * hour after its time a round that none of them has counts as out. Throws BeaconUnavailable before.
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

/** A round as the table has it; what describes the beacon is kept with it, for whoever checks it later. */
export type StoredRound = { signature: string; of: Omit<Beacon, 'chain'> } | { out: true };

const firstUse = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Decides what a round came to, unless another was faster: what is then in the table. */
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
    log.warn(isOut ? 'the beacon was out' : 'the beacon is away', { said: error.message });
    count('BeaconUnavailable', 1);
    if (!isOut) throw error;
    return { out: true };
  }
}

const outFrom = (beacon: StageBeacon, round: number) => timeOfRound(beacon, round) + outAfterMs;

/** What a round came to by the table, which is not believed: whoever can write to it must not choose what is drawn. */
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
