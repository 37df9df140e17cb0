/** What goes wrong in a world, and how often: each seed has troubles of its own, and stretches in which they crowd. */
import type { Random } from './random.ts';

/** Everything that can go wrong, each with its usual chance by call, invocation, message or batch. */
export const troubles = {
  // Of a call to AWS:
  /** The connection is refused: nothing was sent. */
  unreachable: 0.002,
  /** The request gets lost on the way. */
  requestLost: 0.002,
  /** An error of the service, which did nothing. */
  failed: 0.002,
  /** An error of the service, which did it all the same. */
  failedAfter: 0.002,
  /** It is done, and the answer gets lost. */
  answerLost: 0.002,
  /** It is done, and the answer takes seconds. */
  slow: 0.004,
  /** The service asks to slow down. */
  throttled: 0.003,
  /** Scheduler refuses to create a schedule. */
  scheduleRefused: 0.2,
  /** Another transaction was at the same items. */
  conflict: 0.004,
  /** Some entries of a batch are refused. */
  partial: 0.05,
  // Of functions:
  /** It dies as it makes a call, before the call or after it. */
  diesAtCall: 0.002,
  /** It dies at any moment. */
  dies: 0.001,
  /** Its clock is wrong, by up to two seconds. */
  wrongClock: 0.3,
  /** Every call that an invocation makes takes long, so that it may run out of time. */
  crawls: 0.005,
  /**
   * Its network turns bad: all calls that an invocation makes then fail, or most, of which some are carried
   * out all the same.
   */
  cutOff: 0.01,
  /** The same of the first invocation of an instance, which fetches what all others then use. */
  cutOffAtFirst: 0.03,
  /** Its warm instances are taken away after it was used. */
  cold: 0.02,
  /** What is asynchronous is invoked twice. */
  twice: 0.02,
  // Of what feeds functions:
  /** A message is delivered once more than it should be. */
  messageTwice: 0.01,
  /** A message is late. */
  messageLate: 0.02,
  /** A worker begins with messages hours after it got them; by then others have them too. */
  messagesHeld: 0.003,
  /** A batch of the stream is handed over once more. */
  batchTwice: 0.01,
  /** A batch of the stream is late by minutes. */
  batchLate: 0.003,
  /** The stream is not read for more than a day, and what is in it is gone. */
  streamLost: 0.000_002,
  /** A schedule runs minutes late. */
  scheduleLate: 0.05,
  /** A read that need not be consistent sees what was there a moment before. */
  staleRead: 0.2,
  /** The index lags by seconds, and sometimes by minutes. */
  indexLag: 0.02,
  // Of the beacon's relays:
  /** One does something else than to answer with the round that it is asked for. */
  relayFails: 0.3,
  /** All are out, from the time of a round on. */
  beaconOut: 0.3,
  /** A round is late. */
  roundLate: 0.3,
  // Between the world and the API:
  /** A host's request does not arrive. */
  hostRequestLost: 0.003,
  /** The answer to a host does not arrive. */
  hostAnswerLost: 0.005,
} as const;

/** The name of a trouble. */
export type Trouble = keyof typeof troubles;
/** The names of all troubles. */
export const troubleNames = Object.keys(troubles) as Trouble[];

/** The troubles of one world. */
export type Faults = {
  /** Whether a trouble strikes now. Draws a random number either way. */
  strikes(trouble: Trouble): boolean;
  /** One of some things, by chance. */
  pick<T>(things: readonly T[]): T;
  /** A length of time for what is slow or late, around a mean in milliseconds. */
  delay(mean: number): number;
  /** Ends all troubles, for good. */
  end(): void;
  /** How often each has struck. */
  counts(): Partial<Record<Trouble, number>>;
};

/** Which troubles there are, and how many times their usual chance each has. */
export type Rates = Partial<Record<Trouble, number>>;

/** The troubles of a seed: about half of all, some rare, some common; and for one seed in twenty none. */
export function ratesOf(random: Random): Rates {
  if (random.fork('calm').chance(0.05)) return {};
  const entries = troubleNames.map((name) => [name, random.chance(0.5) ? 0.1 * 60 ** random.next() : 0]);
  return Object.fromEntries(entries) as Rates;
}

const hour = 3_600_000;
/** The most that a trouble strikes outside of storms: with what fails for a month, nothing gets any further. */
const mostUsual = 0.2;

/** Makes the troubles of a world: by these rates, and ten times as often in a stretch of minutes every few hours. */
export function createFaults(rates: Rates, random: Random, now: () => number): Faults {
  const counts: Partial<Record<Trouble, number>> = {};
  let ended = false;
  let storm = { from: now() + random.around(6 * hour), until: 0 };
  storm.until = storm.from + random.around(hour / 6);
  const isStorm = () => {
    if (now() > storm.until) {
      const from = storm.until + random.around(12 * hour);
      storm = { from, until: from + random.around(hour / 6) };
    }
    return now() >= storm.from;
  };
  return {
    strikes(trouble) {
      const rate = rates[trouble] ?? 0;
      const chance = random.next();
      if (ended || rate === 0) return false;
      const usual = troubles[trouble] * rate;
      const isSteady = steady.has(trouble);
      const struck = chance < (isSteady ? usual : Math.min(mostUsual, usual) * (isStorm() ? 10 : 1));
      if (struck) counts[trouble] = (counts[trouble] ?? 0) + 1;
      return struck;
    },
    pick: (things) => random.pick(things),
    delay: (mean) => random.around(mean),
    end: () => {
      ended = true;
    },
    counts: () => ({ ...counts }),
  };
}

/** Troubles that come no more often in storms, and may be what is usual. */
const steady = new Set<Trouble>([
  'streamLost',
  'wrongClock',
  'staleRead',
  'relayFails',
  'beaconOut',
  'roundLate',
]);
