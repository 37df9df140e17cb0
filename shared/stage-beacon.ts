/**
 * Reads the configuration of the stage's randomness beacons. The code that verifies the beacons' signatures
 * is in a separate file, `shared/amoe/drand.ts`, so that Lambda functions that need only the configuration do
 * not bundle it.
 */
import * as z from 'zod/mini';
import { optionalVariable } from './environment.ts';

/**
 * A drand beacon. `chain` is the hex hash of its chain, `genesis_time` the time of its first round in epoch
 * seconds, and `period` the number of seconds between rounds. `public_key` is in hex.
 */
export type Beacon = { chain: string; public_key: string; genesis_time: number; period: number };
/**
 * A beacon with the base URLs of its relays, such as `https://api.drand.sh`. Relays are servers that publish
 * the beacon's rounds.
 */
export type StageBeacon = Beacon & { relays: string[] };

// A function instead of a constant, so that bundlers can remove the schema from Lambda functions that do not
// use it.
const schema = () =>
  z.object({
    chain: z.string(),
    public_key: z.string(),
    genesis_time: z.int(),
    period: z.int().check(z.minimum(1)),
    relays: z.array(z.url()).check(z.minLength(1)),
  });

/**
 * Returns the beacon for new orders of free spins, or undefined if the stage has no beacon. Throws if the
 * environment variable `BEACON` is malformed.
 */
export function stageBeacon(): StageBeacon | undefined {
  const text = optionalVariable('BEACON') ?? 'none';
  return text === 'none' ? undefined : schema().parse(JSON.parse(text));
}

/**
 * Returns all beacons of the stage: the beacon for new orders, and former beacons, which the due spins of
 * earlier orders may still need.
 */
export function stageBeacons(): StageBeacon[] {
  const former = z.array(schema()).parse(JSON.parse(optionalVariable('FORMER_BEACONS') ?? '[]'));
  const promised = stageBeacon();
  return promised ? [promised, ...former] : former;
}
