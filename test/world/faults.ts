/**
 * Fault injection: decides which faults occur and when. Each seed has its own fault rates and its own storms,
 * short periods with many faults.
 */
import type { Random } from './random.ts';

/** All faults, each with its default probability per call, invocation, message or batch. */
export const faultProbabilities = {
  // Calls to AWS:
  /** The connection is refused. The request was not sent. */
  unreachable: 0.002,
  /** The request is lost. */
  requestLost: 0.002,
  /** The service returns an error and did nothing. */
  failed: 0.002,
  /** The service returns an error although it executed the call. */
  errorAfterExecution: 0.002,
  /** The call is executed, but its response is lost. */
  answerLost: 0.002,
  /** The call is executed, but its response takes seconds. */
  slow: 0.004,
  /** The service throttles the call. */
  throttled: 0.003,
  /** EventBridge Scheduler refuses to create a schedule. */
  scheduleRefused: 0.2,
  /** Another transaction holds the items. */
  conflict: 0.004,
  /** Some entries of a batch fail. */
  partialBatch: 0.05,
  // Functions:
  /** The instance crashes just before or just after a call. */
  crashAtCall: 0.002,
  /** The instance crashes at a random time. */
  crash: 0.001,
  /** The instance's clock is off by up to two seconds. */
  clockSkew: 0.3,
  /** All calls of the invocation are slow, so that it may time out. */
  slowCalls: 0.005,
  /**
   * The invocation loses its network: all of its calls fail, or most do, some of them after they were
   * executed.
   */
  networkOutage: 0.01,
  /** A network outage in an instance's first invocation, which loads data that later ones reuse. */
  networkOutageAtStart: 0.03,
  /** The warm instance is discarded, so that the invocation is a cold start. */
  coldStart: 0.02,
  /** An asynchronous invocation runs twice. */
  duplicateInvocation: 0.02,
  // Event sources:
  /** A message is delivered twice. */
  duplicateMessage: 0.01,
  /** A message is delayed. */
  lateMessage: 0.02,
  /**
   * A worker starts on its messages hours after receiving them. Their visibility timeout is over by then, so
   * other workers have received them too.
   */
  stalledWorker: 0.003,
  /** A batch of stream records is delivered twice. */
  duplicateBatch: 0.01,
  /** A batch of stream records is delayed by minutes. */
  lateBatch: 0.003,
  /** The stream is not read for more than a day, so that its records expire. */
  streamExpired: 0.000_002,
  /** A schedule runs minutes late. */
  lateSchedule: 0.05,
  /** An eventually consistent read returns old data. */
  staleRead: 0.2,
  /** The index lags by seconds, sometimes minutes. */
  indexLag: 0.02,
  // Relays of the beacon:
  /** A relay fails or returns a wrong round. */
  relayFault: 0.3,
  /** All relays are unavailable from the time of a round on. */
  beaconOutage: 0.3,
  /** A round is published late. */
  lateRound: 0.3,
  // Between hosts and the API:
  /** A host's request is lost. */
  hostRequestLost: 0.003,
  /** The response to a host is lost. */
  hostAnswerLost: 0.005,
} as const;

export type FaultName = keyof typeof faultProbabilities;
export const faultNames = Object.keys(faultProbabilities) as FaultName[];

/** The fault injector of one world. */
export type Faults = {
  /**
   * Returns whether the fault occurs now. Always draws one random number, so that rates don't shift later
   * draws.
   */
  strikes(fault: FaultName): boolean;
  /** Returns a random element. */
  pick<T>(things: readonly T[]): T;
  /** Returns a random delay with the given mean, in milliseconds. */
  delay(mean: number): number;
  /** Disables all faults permanently. */
  end(): void;
  /** Returns how often each fault occurred. */
  counts(): Partial<Record<FaultName, number>>;
};

/** The faults of a world, each as a multiple of its default probability. Other faults never occur. */
export type FaultRates = Partial<Record<FaultName, number>>;

/**
 * Draws the fault rates of a seed: about half of all faults, rare or common. One seed in twenty has no
 * faults.
 */
export function drawFaultRates(random: Random): FaultRates {
  if (random.fork('calm').chance(0.05)) return {};
  const entries = faultNames.map((name) => [name, random.chance(0.5) ? 0.1 * 60 ** random.next() : 0]);
  return Object.fromEntries(entries) as FaultRates;
}

const hour = 3_600_000;
/** Maximum probability outside storms. If most calls failed for a month, no work would be completed. */
const maxProbability = 0.2;

/**
 * Creates the fault injector. In a storm, which comes every few hours and lasts minutes, faults are ten times
 * as likely.
 */
export function createFaults(rates: FaultRates, random: Random, now: () => number): Faults {
  const counts: Partial<Record<FaultName, number>> = {};
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
    strikes(fault) {
      const rate = rates[fault] ?? 0;
      const chance = random.next();
      if (ended || rate === 0) return false;
      const usual = faultProbabilities[fault] * rate;
      const ignoresStorms = unaffectedByStorms.has(fault);
      const struck =
        chance < (ignoresStorms ? usual : Math.min(maxProbability, usual) * (isStorm() ? 10 : 1));
      if (struck) counts[fault] = (counts[fault] ?? 0) + 1;
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

/** Faults that storms don't make more likely. Their probability is not limited. */
const unaffectedByStorms = new Set<FaultName>([
  'streamExpired',
  'clockSkew',
  'staleRead',
  'relayFault',
  'beaconOutage',
  'lateRound',
]);
