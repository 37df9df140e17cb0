/**
 * Reads the configuration of randomness beacons. Their rounds are verified in `shared/amoe/drand.ts`, which most Lambda
 * functions need not bundle.
 */
import * as z from 'zod/mini';
import { optionalVariable } from './environment.ts';

/**
 * A drand beacon. `genesis_time` is in epoch seconds, `period` in seconds; `chain` (a hash) and `public_key`
 * are in hex.
 */
export type Beacon = { chain: string; public_key: string; genesis_time: number; period: number };
/** A beacon with the base URLs of its relays, the servers that publish the beacon's rounds. */
export type StageBeacon = Beacon & { relays: string[] };

// A function instead of a constant, so that bundlers can remove the schema from Lambda functions that do not use it.
const schema = () =>
  z.object({
    chain: z.string(),
    public_key: z.string(),
    genesis_time: z.int(),
    period: z.int().check(z.minimum(1)),
    relays: z.array(z.url()).check(z.minLength(1)),
  });

/** Returns the beacon for new spin orders, or undefined without one. Throws if `BEACON` is malformed. */
export function stageBeacon(): StageBeacon | undefined {
  const text = optionalVariable('BEACON') ?? 'none';
  return text === 'none' ? undefined : schema().parse(JSON.parse(text));
}

/** Returns the beacon for new spin orders, and former beacons for the due spins of earlier orders. */
export function stageBeacons(): StageBeacon[] {
  const former = z.array(schema()).parse(JSON.parse(optionalVariable('FORMER_BEACONS') ?? '[]'));
  const promised = stageBeacon();
  return promised ? [promised, ...former] : former;
}
