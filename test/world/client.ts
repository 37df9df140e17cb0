import type { createClient } from '../../shared/client/client.ts';
import type { Random } from '../support/random.ts';
import type { Bundle } from './sandbox.ts';
import type { Timeline } from './timeline.ts';

/**
 * Returns `createClient` of the bundled client for hosts. Its clients wait on the virtual clock, and send requests only
 * through the `fetch` in their options.
 */
export function loadClient(bundle: Bundle, { now, after }: Timeline, random: Random): typeof createClient {
  const exports = bundle({
    now,
    after,
    random,
    environment: {},
    http: { request: undefined, Agent: undefined },
    resolve: () => Promise.reject(new Error('a client resolves no names')),
    print: () => {},
  });
  return exports.createClient as typeof createClient;
}
