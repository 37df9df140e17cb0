/** The beacon of the stage, without what checks its signatures: not every function that names it has a use for that. */
import * as z from 'zod/mini';
import { optionalVariable } from '../environment.ts';
import type { Beacon } from './drand.ts';

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

/** The beacon that queued spins mix in on this stage; undefined if it has none. Throws if the variable names none. */
export function stageBeacon(): StageBeacon | undefined {
  const text = optionalVariable('BEACON') ?? 'none';
  return text === 'none' ? undefined : schema().parse(JSON.parse(text));
}
