/** Simulates the hosts' webhook receivers: DNS lookups and responses to calls. */

import type { Random } from '../support/random.ts';
import { addressesOf, type Reaction, type ReceiverBehavior, reactionOf } from './actors/receiver-behavior.ts';
import { connectionError, type NetworkReply, type NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import type { ReceiverCall } from './journal.ts';
import type { Timeline } from './timeline.ts';

/** All webhook receivers of a world: the hosts' HTTP endpoints that the service calls. */
export type Receivers = {
  /** Adds a receiver for a URL. The URL must be normalized, as in `new URL(url).href`. */
  register(url: string, behavior: ReceiverBehavior): void;
  /** Resolves a host name as DNS does. Returns the current IP addresses. */
  resolve(name: string): Promise<{ address: string; family: number }[]>;
  /** Delivers a function instance's HTTP call to the receiver of the call's URL. */
  carry(caller: Instance, request: NetworkRequest, reply: (reply: NetworkReply) => void): Promise<void>;
};

type Options = {
  timeline: Timeline;
  random: Random;
  /** List to which each call to a webhook's URL is added, unless the call's DNS lookup failed. */
  calls: ReceiverCall[];
  trace: (line: string) => void;
};

export function createReceivers({ timeline, random, calls, trace }: Options): Receivers {
  const byUrl = new Map<string, ReceiverBehavior>();
  const byName = new Map<string, ReceiverBehavior>();
  return {
    register(url, behavior) {
      byUrl.set(url, behavior);
      byName.set(new URL(url).hostname, behavior);
    },
    async resolve(name) {
      await timeline.wait(random.around(3));
      const behavior = byName.get(name.toLowerCase());
      const addresses = behavior ? addressesOf(behavior, random, timeline.now()) : [];
      if (addresses.length === 0) throw connectionError('ENOTFOUND');
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    async carry(caller, { url, headers, body: bytes, lookup }, reply) {
      const back = (value: NetworkReply, ms: number) =>
        void timeline.after(ms, () => caller.deliver(() => reply(value)));
      const addresses = await addressesToDial(url, lookup).catch((error: Error) => error);
      if (addresses instanceof Error) return back({ error: addresses }, 0);
      const call = { url: url.href, addresses, headers, body: bytes.toString() };
      timeline.after(1 + random.around(20), () => {
        const at = timeline.now();
        const behavior = byUrl.get(url.href);
        const reaction = behavior ? reactionOf(behavior, call, random, at) : ({ kind: 'refuse' } as const);
        const retryAfter = 'headers' in reaction ? reaction.headers['retry-after'] : undefined;
        calls.push({
          at,
          ...call,
          reaction: reactionName(reaction),
          ...(retryAfter !== undefined && { retryAfter }),
        });
        trace(`${caller.id} calls ${url.href} ${headers['webhook-id']}: ${JSON.stringify(reaction)}`);
        const answer = replyOf(reaction);
        if (answer) back(answer, 'afterMs' in reaction ? reaction.afterMs : 1);
      });
    },
  };
}

/** Returns the IP addresses that a caller connects to: the URL's own address, or the lookup's results. */
async function addressesToDial(url: URL, lookup: NetworkRequest['lookup']): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$/.test(host) || host.includes(':')) return [host];
  if (!lookup) throw new Error(`${url} was called without a DNS lookup`);
  return lookup(host);
}

const words = { hang: 'hung', 'hang up': 'hung up', refuse: 'refused' } as const;
const reactionName = (reaction: Reaction): ReceiverCall['reaction'] =>
  reaction.kind === 'response' ? reaction.status : words[reaction.kind];

const ends = { whole: {}, 'broken off': { end: 'cut' }, endless: { end: 'never' } } as const;

function replyOf(reaction: Reaction): NetworkReply | undefined {
  if (reaction.kind === 'hang') return undefined;
  if (reaction.kind === 'hang up') return { error: connectionError('ECONNRESET') };
  if (reaction.kind === 'refuse') return { error: connectionError('ECONNREFUSED') };
  const { status, headers, body } = reaction;
  return { status, headers, body: 'received', ...ends[body] };
}
