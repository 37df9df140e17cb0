/**
 * The randomness beacons of the stage. The check of their signatures is elsewhere (`shared/amoe/drand.ts`),
 * so that functions that only name a beacon do not bundle it.
 */
import * as z from 'zod/mini';
import { optionalVariable } from './environment.ts';

/**
 * A drand beacon: the hash of its chain and its public key in hex, the time of its first round in epoch
 * seconds, and the seconds between rounds.
 */
export type Beacon = { chain: string; public_key: string; genesis_time: number; period: number };
/** A beacon with the addresses of its relays, such as `https://api.drand.sh`. */
export type StageBeacon = Beacon & { relays: string[] };

// A function and not a constant, so that bundlers can drop it from functions that do not use it.
const schema = () =>
  z.object({
    chain: z.string(),
    public_key: z.string(),
    genesis_time: z.int(),
    period: z.int().check(z.minimum(1)),
    relays: z.array(z.url()).check(z.minLength(1)),
  });

/** Returns the beacon for new orders, or undefined if the stage has none. Throws if `BEACON` is malformed. */
export function stageBeacon(): StageBeacon | undefined {
  const text = optionalVariable('BEACON') ?? 'none';
  return text === 'none' ? undefined : schema().parse(JSON.parse(text));
}

/** Returns the beacon for new orders and the former ones, which earlier orders may still wait for. */
export function stageBeacons(): StageBeacon[] {
  const former = z.array(schema()).parse(JSON.parse(optionalVariable('FORMER_BEACONS') ?? '[]'));
  const promised = stageBeacon();
  return promised ? [promised, ...former] : former;
}
