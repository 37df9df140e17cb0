/** Simulates the beacon's relays, with failures and wrong answers. A relay serves drand rounds over HTTP. */
import { answerOfRelay, localBeacon } from '../../infra/develop/local/beacon.ts';
import { timeOfRound } from '../../shared/amoe/drand.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';
import type { Faults } from './faults.ts';
import { connectionError, type NetworkReply, type NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

const domain = '.relays.example.com';
/** The beacon of every world: the key pair for local development, with real signatures. */
export const beacon: StageBeacon = {
  ...localBeacon,
  relays: ['north', 'east', 'south', 'west'].map((name) => `https://${name}${domain}`),
};

type Round = { round: number; signature: string };
const known = new Map<number, Round>();

/** Returns a round as a relay sends it. Caches the round, because signing is the simulation's slowest step. */
export function servedRound(round: number): Round {
  const served = known.get(round) ?? (answerOfRelay(`/${beacon.chain}/public/${round}`) as Round);
  known.set(round, served);
  return served;
}

type Options = { timeline: Timeline; random: Random; faults: Faults; trace: (line: string) => void };
type Reply = (reply: NetworkReply) => void;

export function createRelays({ timeline, random, faults, trace }: Options) {
  const published = new Map<number, { from: number; outUntil: number }>();
  /** Returns the time when a round becomes available, and the time until which all relays are down. */
  function publicationOf(round: number) {
    const time = timeOfRound(beacon, round);
    const made = published.get(round) ?? {
      from: time + random.around(500) + (faults.strikes('lateRound') ? faults.delay(minute) : 0),
      outUntil: faults.strikes('beaconOutage') ? time + faults.delay(50 * minute) : 0,
    };
    published.set(round, made);
    return made;
  }
  function reactionTo(caller: Instance, round: number): Reaction {
    const { from, outUntil } = publicationOf(round);
    if (caller.outage || timeline.now() < outUntil) return faults.pick(outageReactions);
    if (timeline.now() < from) return 'not there';
    return faults.strikes('relayFault') ? faults.pick(reactions) : 'well';
  }
  return {
    serves: ({ hostname }: URL) => hostname.endsWith(domain),
    /** Answers a function instance's request to a relay. */
    carry(caller: Instance, { url }: NetworkRequest, reply: Reply) {
      const round = Number(url.pathname.split('/').at(-1));
      const reaction = reactionTo(caller, round);
      trace(`${caller.id} asks ${url.hostname} for round ${round}: ${reaction}`);
      if (reaction !== 'well') caller.faultCount++;
      const value = replies[reaction](servedRound(round));
      if (!value) return;
      const ms =
        random.around(caller.hasSlowCalls ? 4000 : 40) + (reaction === 'slow' ? faults.delay(4000) : 0);
      timeline.after(ms, () => caller.deliver(() => reply(value)));
    },
  };
}

const minute = 60_000;
const text = (body: string, of: object = {}): NetworkReply => ({ status: 200, body, ...of });
const json = (value: object, of: object = {}) => text(JSON.stringify(value), of);
const flipped = (hex: string) => hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16);

/** Responses of a relay to a request for a round, by kind. `undefined` means no response. */
const replies = {
  well: (round: Round) => json(round),
  slow: (round: Round) => json(round),
  'not there': () => text('{"error":"round not available"}', { status: 404 }),
  broken: () => text('', { status: 502 }),
  elsewhere: () => text('', { status: 302, headers: { location: 'https://elsewhere.example.com/' } }),
  refused: () => ({ error: connectionError('ECONNREFUSED') }),
  'hung up': () => ({ error: connectionError('ECONNRESET') }),
  hung: () => undefined,
  'another round': ({ round }: Round) => json(servedRound(round + 1)),
  'another signature': ({ round }: Round) => json({ ...servedRound(round + 1), round }),
  'a bit flipped': (round: Round) => json({ ...round, signature: flipped(round.signature) }),
  garbage: () => text('<html>maintenance</html>'),
  too_large: (round: Round) => json({ ...round, more: 'x'.repeat(100_000) }),
  endless: () => text('{', { end: 'never' }),
  'broken off': () => text('{"round":', { end: 'cut' }),
  stalled: () => text('{"round":', { end: 'stalled' }),
} satisfies Record<string, (round: Round) => NetworkReply | undefined>;

type Reaction = keyof typeof replies;
const reactions = (Object.keys(replies) as Reaction[]).filter((reaction) => reaction !== 'well');
const outageReactions: Reaction[] = ['refused', 'hung up', 'hung', 'broken'];
