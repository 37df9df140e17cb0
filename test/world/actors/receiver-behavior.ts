/** Behavior of simulated webhook receivers, as plain data: reactions to a call, and results of DNS lookups. */
import { type EventType, eventTypes } from '../../../shared/vocabulary.ts';
import { switchedOffAfterMs } from '../../../shared/webhooks/receiver.ts';
import type { Random } from '../../support/random.ts';
import { dayMs } from './action-times.ts';
import { internalAddresses, publicAddress } from './addresses.ts';

/** A receiver's reaction to one webhook call. */
export type Reaction =
  /** Responds after a delay. The body is complete, broken off or endless. */
  | { kind: 'response'; afterMs: number; status: number; headers: Record<string, string>; body: Body }
  /** Accepts the request and never sends a response. */
  | { kind: 'hang' }
  /** Accepts the request and, after a delay, closes the connection without a response. */
  | { kind: 'hang up'; afterMs: number }
  /** Refuses the TCP connection. */
  | { kind: 'refuse' };
type Body = 'whole' | 'broken off' | 'endless';

/** How a receiver reacts to a call. Details such as status and delay are random. */
export type ReceiverMode =
  | 'well'
  | 'slow'
  | 'failing'
  | 'gone'
  | 'busy'
  | 'redirecting'
  | 'hanging'
  | 'hanging up'
  | 'breaking off'
  | 'endless'
  | 'refusing';

/** A period in epoch milliseconds. `to` is excluded. */
type Period = { from: number; to: number };
/** A period in which a receiver has a fixed mode. */
export type Outage = Period & { mode: ReceiverMode };

/** Returns whether a time (epoch milliseconds) is within a period. */
export const isDuring = ({ from, to }: Period, now: number): boolean => now >= from && now < to;

export type ReceiverBehavior = {
  /** The weight of each mode. Outside outages, a mode is drawn for each call. */
  modes: Partial<Record<ReceiverMode, number>>;
  outages: Outage[];
  /** An event type that the receiver always answers with an error, as if it had a bug. */
  failsOnType?: EventType;
  /** Possible results of a DNS lookup, each a list of IP addresses. An empty list means an unknown name. */
  lookups: [string[], ...string[][]];
  /** Epoch milliseconds from which the receiver never fails and DNS lookups return the first list of `lookups`. */
  worksFrom: number;
};

/** Returns a receiver's reaction to a call at the time `now`, in epoch milliseconds. */
export function reactionOf(
  { modes, outages, failsOnType, worksFrom }: ReceiverBehavior,
  call: { body: string },
  random: Random,
  now: number,
): Reaction {
  if (now >= worksFrom) return reactions.well(random, now);
  if (failsOnType && call.body.includes(`"type":"${failsOnType}"`)) return reactions.failing(random, now);
  const outage = outages.find((one) => isDuring(one, now));
  const mode = outage?.mode ?? random.weighted(modes as Record<ReceiverMode, number>);
  return reactions[mode](random, now);
}

/** Returns the IP addresses that a DNS lookup of the receiver's name returns at the time `now`. */
export const addressesOf = (
  { lookups, worksFrom }: ReceiverBehavior,
  random: Random,
  now: number,
): string[] => (now >= worksFrom ? lookups[0] : random.pick(lookups));

const response = (
  random: Random,
  status: number,
  {
    headers = {},
    body = 'whole',
    afterMs = random.around(80),
  }: Partial<Reaction & { kind: 'response' }> = {},
): Reaction => ({ kind: 'response', afterMs, status, headers, body });

type DrawReaction = (random: Random, now: number) => Reaction;

const reactions: Record<ReceiverMode, DrawReaction> = {
  well: (random) => response(random, random.pick([200, 200, 200, 201, 202, 204])),
  slow: (random) => response(random, 200, { afterMs: random.below(20_000) }),
  failing: (random) => response(random, random.pick([500, 500, 502, 503, 504, 404, 401])),
  gone: (random) => response(random, 410),
  busy: (random, now) =>
    response(random, random.pick([429, 429, 503]), { headers: { 'retry-after': retryAfter(random, now) } }),
  redirecting: (random) =>
    response(random, random.pick([301, 302, 303, 307, 308]), {
      headers: { location: random.pick(['https://example.com/', 'http://169.254.169.254/latest/', '/']) },
    }),
  hanging: () => ({ kind: 'hang' }),
  'hanging up': (random) => ({ kind: 'hang up', afterMs: random.around(2000) }),
  'breaking off': (random) => response(random, random.pick([200, 500]), { body: 'broken off' }),
  endless: (random) => response(random, random.pick([200, 500]), { body: 'endless' }),
  refusing: () => ({ kind: 'refuse' }),
};

/** Returns the value of a `Retry-After` header: seconds, a date, an excessive delay or invalid text. */
function retryAfter(random: Random, now: number): string {
  const inSeconds = random.pick([0, 1, 10, 120, 3600]);
  const date = (seconds: number) => new Date(now + seconds * 1000).toUTCString();
  return random.pick([
    String(inSeconds),
    String(inSeconds),
    date(inSeconds),
    date(-3600),
    '86400',
    '999999999',
    '99999999999999999999',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    '-5',
    '1.5',
    'soon',
    '',
  ]);
}

const outageModes: ReceiverMode[] = ['failing', 'failing', 'refusing', 'hanging', 'busy', 'hanging up'];

/**
 * Draws a receiver's behavior. The receiver never fails from `worksFrom` on. `faultNumber` selects the main fault,
 * if any.
 */
export function drawReceiverBehavior(
  random: Random,
  now: number,
  worksFrom: number,
  faultNumber?: number,
): ReceiverBehavior {
  const lookups: ReceiverBehavior['lookups'] = [drawAddresses(random)];
  if (random.chance(0.3)) lookups.push(...suspiciousLookups(random, lookups[0]));
  const outages = drawOutages(random, now, worksFrom);
  const failsOnType = random.chance(0.04) ? { failsOnType: random.pick(eventTypes) } : {};
  return { modes: drawModes(random, faultNumber), outages, ...failsOnType, lookups, worksFrom };
}

/**
 * Draws up to two outages between `now` and `end`, of minutes to days. A quarter last about as long as the whole period
 * and start early in it.
 */
export const drawOutages = (random: Random, now: number, end: number): Outage[] =>
  Array.from({ length: random.pick([0, 0, 0, 1, 1, 2]) }, () => {
    const left = Math.max(0, end - now);
    const isLong = random.chance(0.25);
    const from = now + random.next() * (isLong ? left / 5 : left);
    const mean = isLong ? left : random.pick([60_000, 3600_000, 6 * 3600_000]);
    return { from, to: from + random.around(mean), mode: random.pick(outageModes) };
  });

/**
 * An outage of over five days, after which webhooks are switched off. Until it ends, nobody looks after the host's
 * webhooks. While the host is `deserted`, users and operators do nothing either: without new events, its webhooks have
 * missed nothing when they are switched off.
 */
export type Neglect = Outage & { deserted?: Period };

/**
 * Draws the neglect of three quarters of the hosts, in worlds of at least eight days. It ends one to two days before
 * `end`.
 */
export function drawNeglect(random: Random, now: number, end: number): Neglect | undefined {
  const from = now + random.next() * 0.5 * dayMs;
  const to = end - (1 + random.next()) * dayMs;
  const deserted = { from: from + 0.2 * dayMs, to: from + 1.1 * switchedOffAfterMs };
  if (to < deserted.to || random.chance(0.25)) return undefined;
  return { from, to, mode: random.pick(outageModes), ...(random.chance(0.5) ? { deserted } : {}) };
}

function drawModes(random: Random, faultNumber: number | undefined): ReceiverBehavior['modes'] {
  if (faultNumber === undefined) return { well: 1 };
  const names = Object.keys(reactions) as ReceiverMode[];
  const kind = random.weighted({ well: 2, shaky: 6, single: 1 });
  if (kind === 'well') return { well: 1 };
  const own = names[faultNumber % names.length]!;
  if (kind === 'single') return { [own]: 1 };
  const some = [own, ...Array.from({ length: random.below(4) }, () => random.pick(names))];
  return {
    ...Object.fromEntries(some.map((name) => [name, 0.2 + random.next()])),
    well: 1 + random.below(8),
  };
}

const drawAddresses = (random: Random) =>
  Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => publicAddress(random));

/** Returns results of DNS lookups: copies of the valid result `good`, and one empty or internal result. */
function suspiciousLookups(random: Random, good: string[]): string[][] {
  const inside = random.pick(internalAddresses);
  const often = Array.from({ length: random.below(6) }, () => good);
  return [...often, random.pick([[], [inside], [...good, inside], [inside, ...good]])];
}
