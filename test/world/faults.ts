/** Decides from a world's seed which faults occur and when, also in storms: short periods with many faults. */
import type { Random } from '../support/random.ts';

/** All faults with their default probability per occasion, such as a call, an invocation or a message. */
export const faultProbabilities = {
  // Faults of calls to AWS:
  /** AWS refuses the connection, so the request is not sent. */
  unreachable: 0.002,
  /** The request to AWS is lost. */
  requestLost: 0.002,
  /** The AWS service returns an error and does not execute the call. */
  failed: 0.002,
  /** The AWS service executes the call, but returns an error. */
  errorAfterExecution: 0.002,
  /** The AWS service executes the call, but its response is lost. */
  answerLost: 0.002,
  /** The AWS service executes the call, but its response takes seconds. */
  slow: 0.004,
  /** The AWS service throttles the call. */
  throttled: 0.003,
  /** EventBridge Scheduler refuses to create a schedule. */
  scheduleRefused: 0.2,
  /** DynamoDB cancels a transaction because another transaction is changing the same items. */
  conflict: 0.004,
  /** Some entries of a batch call to DynamoDB or SQS fail. */
  partialBatch: 0.05,
  // Faults of Lambda functions:
  /** The instance crashes just before or just after a call to AWS. */
  crashAtCall: 0.002,
  /** The instance crashes between two calls to AWS that change something. */
  crashBetweenEffects: 0.01,
  /**
   * The same crash, at the first time in a world that the function makes two such calls in one invocation. More
   * probable, because some functions rarely make two.
   */
  crashBetweenFirstEffects: 0.1,
  /** The instance crashes at a random time during an invocation. */
  crash: 0.001,
  /** The instance's clock is up to two seconds fast or slow. */
  clockSkew: 0.3,
  /** All AWS calls of an invocation are slow, so that the invocation may time out. */
  slowCalls: 0.005,
  /** The network fails during an invocation: most or all AWS calls fail, some of them after execution. */
  networkOutage: 0.01,
  /**
   * The network fails during an instance's first invocation. Later invocations must load again what failed to load.
   */
  networkOutageAtStart: 0.03,
  /** Lambda discards a warm instance, so that the invocation is a cold start. */
  coldStart: 0.02,
  /** Lambda runs an asynchronous invocation twice. */
  duplicateInvocation: 0.02,
  // Faults of queues, the stream, schedules and reads:
  /** SQS delivers a message twice. */
  duplicateMessage: 0.01,
  /** SQS delivers a message late, by a minute on average. */
  lateMessage: 0.02,
  /** A worker handles messages hours late, after SQS has delivered them to other workers again. */
  stalledWorker: 0.003,
  /** The table's stream delivers a batch of records twice. */
  duplicateBatch: 0.01,
  /** The table's stream delivers a batch of records minutes late. */
  lateBatch: 0.003,
  /** The table's stream is not read for more than a day, so that its records expire. */
  streamExpired: 0.000_05,
  /** A schedule runs minutes late. */
  lateSchedule: 0.05,
  /** An eventually consistent read of the table returns old data. */
  staleRead: 0.2,
  /** The global secondary index lags behind the table by seconds, sometimes minutes. */
  indexLag: 0.02,
  // Faults between hosts and the API:
  /** A request from a host to the API is lost. */
  hostRequestLost: 0.003,
  /** The API's response to a host is lost. */
  hostAnswerLost: 0.005,
  /** A host or player asks for a fault by the header `Incentives-Fault`. */
  requestedFault: 0.005,
  // Faults of timestamp authorities:
  /** An authority answers with an error or a token that proves nothing, or does not answer. */
  authorityFault: 0.3,
  /** An authority is down for seven hours on average. */
  authorityOutage: 0.1,
  /** A relay of the beacon hangs, fails or lies. */
  relayFault: 0.3,
} as const;

export type FaultName = keyof typeof faultProbabilities;
export const faultNames = Object.keys(faultProbabilities) as FaultName[];

/** Decides when faults occur in one world. */
export type Faults = {
  /**
   * Draws whether the fault occurs. Disabled faults draw a random number too, so that the seed's later random numbers
   * stay the same.
   */
  strikes(fault: FaultName): boolean;
  /** Begins a storm of faults for about a minute, unless one began within about the last hour. */
  storm(): void;
  pick<T>(things: readonly T[]): T;
  /** Returns a random delay in milliseconds with the given mean. */
  delay(mean: number): number;
  /** Disables all faults permanently. */
  end(): void;
  hasEnded(): boolean;
  /** Returns the number of occurrences of each fault. */
  counts(): Partial<Record<FaultName, number>>;
};

/** Rate of each fault in a world, as a multiple of its default probability. Missing faults never occur. */
export type FaultRates = Partial<Record<FaultName, number>>;

/** Draws which faults a world has, at 0.1 to 6 times their default probability. Some worlds have no faults. */
export function drawFaultRates(random: Random): FaultRates {
  if (random.fork('calm').chance(0.05)) return {};
  const entries = faultNames.map((name) => [name, random.chance(0.5) ? 0.1 * 60 ** random.next() : 0]);
  return Object.fromEntries(entries) as FaultRates;
}

const minute = 60_000;
/** Maximum probability of a fault outside storms. The limit lets the service complete some work between faults. */
const maxProbability = 0.2;

/** Creates a world's fault injector. Faults are ten times as likely in storms. */
export function createFaults(rates: FaultRates, random: Random, now: () => number): Faults {
  const counts: Partial<Record<FaultName, number>> = {};
  let ended = false;
  let storm = { until: 0, nextFrom: 0 };
  return {
    strikes(fault) {
      const rate = rates[fault] ?? 0;
      const chance = random.next();
      if (ended || rate === 0) return false;
      const usual = faultProbabilities[fault] * rate;
      const ignoresStorms = unaffectedByStorms.has(fault);
      const struck =
        chance < (ignoresStorms ? usual : Math.min(maxProbability, usual) * (now() < storm.until ? 10 : 1));
      if (struck) counts[fault] = (counts[fault] ?? 0) + 1;
      return struck;
    },
    storm() {
      if (now() < storm.nextFrom) return;
      const until = now() + random.around(minute);
      storm = { until, nextFrom: until + random.around(60 * minute) };
    },
    pick: (things) => random.pick(things),
    delay: (mean) => random.around(mean),
    end: () => {
      ended = true;
    },
    hasEnded: () => ended,
    counts: () => ({ ...counts }),
  };
}

/** Storms do not make these faults more likely, and `maxProbability` does not limit them. */
const unaffectedByStorms = new Set<FaultName>([
  'streamExpired',
  'clockSkew',
  'staleRead',
  'authorityFault',
  'relayFault',
  'authorityOutage',
]);
