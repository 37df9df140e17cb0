/** Simulates the relays of the beacon, of which some fail or lie. */
import { localBeacon, relayAnswer } from '../../infra/develop/local/beacon.ts';
import { timeOfRound } from '../../shared/drand/rounds.ts';
import type { Random } from '../support/random.ts';
import type { Faults } from './faults.ts';
import { connectionError, type NetworkReply, type NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import type { Timeline } from './timeline.ts';

const domain = '.beacon.example.com';
/** The beacon of every world, as JSON: the local one, of which everybody knows the key. */
export const worldBeacon = JSON.stringify({
  ...localBeacon,
  relays: ['first', 'second'].map((name) => `https://${name}${domain}`),
});

type Options = { timeline: Timeline; random: Random; faults: Faults };

export function createRelays({ timeline, random, faults }: Options) {
  const replyTo = (path: string): NetworkReply | undefined => {
    const round = Number(path.split('/').at(-1));
    if (timeOfRound(localBeacon, round) > timeline.now()) return { status: 404, body: '' };
    if (!faults.strikes('relayFault')) return { status: 200, body: JSON.stringify(relayAnswer(path)) };
    return faults.pick([
      undefined,
      { error: connectionError('ECONNREFUSED') },
      { status: 200, body: JSON.stringify({ round, signature: 'ab'.repeat(48) }) },
      { status: 200, body: JSON.stringify(relayAnswer(path.replace(/\d+$/, '1'))) },
    ]);
  };
  return {
    serves: ({ hostname }: URL) => hostname.endsWith(domain),
    /** Answers a request for a round, unless the relay hangs. An operator's command has no caller. */
    carry(caller: Instance | undefined, { url }: NetworkRequest, reply: (reply: NetworkReply) => void) {
      const value = caller?.outage ? { error: connectionError('ECONNRESET') } : replyTo(url.pathname);
      // Counts each request, because also an honest relay lacks a round before its time.
      if (caller) caller.faultCount++;
      const answer = () => reply(value!);
      if (value) timeline.after(random.around(100), () => (caller ? caller.deliver(answer) : answer()));
    },
  };
}
