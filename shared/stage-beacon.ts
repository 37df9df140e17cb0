/** The beacons of the stage, without what checks their signatures: not every function that names one has a use for that. */
import * as z from 'zod/mini';
import { optionalVariable } from './environment.ts';

/** A beacon: the hash of its chain and its public key in hex, and when its rounds are, in seconds. */
export type Beacon = { chain: string; public_key: string; genesis_time: number; period: number };
/** A beacon with the addresses of the relays that serve it, each as `https://api.drand.sh`. */
export type StageBeacon = Beacon & { relays: string[] };

// Built when it is first needed: a bundle that has no use for it leaves it out.
const schema = () =>
  z.object({
    chain: z.string(),
    public_key: z.string(),
    genesis_time: z.int(),
    period: z.int().check(z.minimum(1)),
    relays: z.array(z.url()).check(z.minLength(1)),
  });

/** The beacon that orders are promised on this stage; undefined if none is. Throws if the variable names none. */
export function stageBeacon(): StageBeacon | undefined {
  const text = optionalVariable('BEACON') ?? 'none';
  return text === 'none' ? undefined : schema().parse(JSON.parse(text));
}

/** All beacons that the stage knows: the one that it promises today, and those that earlier orders may wait for. */
export function stageBeacons(): StageBeacon[] {
  const former = z.array(schema()).parse(JSON.parse(optionalVariable('FORMER_BEACONS') ?? '[]'));
  const promised = stageBeacon();
  return promised ? [promised, ...former] : former;
}
