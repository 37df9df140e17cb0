/**
 * Runs a world: the workload with faults, the remaining work without faults, the final requests, and the rules on the
 * final state.
 */

import { createRandom, type Random } from '../support/random.ts';
import type { Api } from './actors/api.ts';
import { finalRequests } from './actors/final-requests.ts';
import { eraseCommands, repeatErasures } from './actors/operators.ts';
import { handleDeadLetters } from './actors/runbooks.ts';
import { drawWorkload, runWorkload, type Options as Workload } from './actors/workload.ts';
import type { Bundles } from './bundles.ts';
import { drawFaultRates, type FaultRates, faultNames } from './faults.ts';
import { checkWorld, type Ended } from './rules/check-world.ts';
import { createCommitRules } from './rules/commit-rules.ts';
import { dayAfter, dayAt, startOf as startOfDay } from './rules/days-and-ulids.ts';
import { trackErasedTexts } from './rules/erasures.ts';
import { usualAllowances, type Violation } from './rules/rule.ts';
import { verifyBooks } from './rules/verified-books.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

export type RunOptions = Pick<WorldOptions, 'chooseFault' | 'onCall' | 'onCommit'> & {
  seed: number;
  bundles: Bundles;
  /** Duration of the workload, in virtual days. Drawn from the seed if absent. */
  days?: number | undefined;
  /** Start of the world, in epoch milliseconds. Drawn from the seed if absent. */
  start?: number | undefined;
  /** Fault rates. Drawn from the seed if absent. */
  rates?: FaultRates | undefined;
  /** Options of the workload. Missing ones are drawn from the seed. */
  workload?: Partial<Workload>;
  /** Scenario that runs instead of the workload of hosts, players and operators. */
  scenario?: (api: Api) => Promise<void>;
  /** Interval in virtual milliseconds at which the run checks whether its current phase is over. Default: an hour. */
  checkIntervalMs?: number;
  /** Whether the run sends the final requests, which read everything that the API offers. Default: true. */
  sendsFinalRequests?: boolean;
  /** Called when no work is pending anymore, before the final requests. */
  onDrained?: () => void;
  /** Folder for the books of all days and their records. Nothing is written if absent. */
  books?: string | undefined;
  /** Called with the final state that the rules check. */
  onEnd?: (ended: Ended) => void;
  /** Called with each line of the trace. */
  line?: ((line: string) => void) | undefined;
  /** Called with the virtual days that have passed since the start, and the workload's duration in virtual days. */
  progress?: ((day: number, days: number) => void) | undefined;
};

export type Run = {
  /** The run's options, including values that were drawn from the seed. */
  options: RunOptions & { rates: FaultRates; days: number };
  /** Violations of rules, sorted by time. Empty if all rules hold. */
  violations: Violation[];
  figures: Record<string, number>;
  hash: string;
  trace: string[];
};

const hour = 3_600_000;
const day = 24 * hour;
/**
 * Maximum virtual days between the workload's end and the end of all work: enough for a last retry, and for
 * dead letters that operators move back.
 */
const maxDrainDays = 5;
/** Maximum events within `checkIntervalMs`, four times the most seen so far. More events mean an endless loop. */
const maxEventsPerCheck = 1_000_000;
/** Seconds between the attempts of a delivery in half of the worlds: shorter than the default delays. */
const shortRetryDelays = [5, 300, 1800, 1800, 3600, 3600, 3600];

/** Durations in days to choose from. Eight days are enough for a webhook to be disabled after five days of failures. */
const dayCounts = [1, 1, 1, 1, 1, 1, 1, 2, 2, 8];

/** Possible rows per block of the row index. With small blocks, a day's rows fill several blocks. */
const blockSizes = [undefined, 2, 5, 16];

/** Runs a world until it ends or a rule is broken. Returns the violations, statistics and trace. */
export async function runWorld(given: RunOptions): Promise<Run> {
  const random = createRandom(`run ${given.seed}`);
  const options = { ...given, days: given.days ?? random.fork('days').pick(dayCounts) };
  const rates = options.rates ?? drawFaultRates(random.fork('rates'));
  const start = options.start ?? startOf(random.fork('start'), options.days);
  const violations: Violation[] = [];
  const fail = (violation: Violation) => void violations.push(violation);
  // Half of the worlds use short delays. Otherwise no delivery would reach its last attempt within a one-day run.
  const hasShortDelays = random.fork('delays').chance(0.5);
  const retryDelays = hasShortDelays ? shortRetryDelays : usualAllowances.retryDelays;
  // Scenarios use the default block size, so that the number of AWS calls does not depend on the seed.
  const rowsPerBlock = options.scenario ? undefined : random.fork('blocks').pick(blockSizes);
  const erased = trackErasedTexts();
  const clockErrorMs = rates.clockSkew ? usualAllowances.clockErrorMs : 0;
  const commitRules = createCommitRules({ fail, clockErrorMs });
  const world: World = createWorld({
    ...options,
    rowsPerBlock,
    // Skips most sweeps that would find nothing due, because they take a third of a world's time. Scenarios skip all of
    // them, so that they add no AWS calls.
    idleSweepShare: options.scenario ? 0 : 0.25,
    ...(hasShortDelays && { environment: { RETRY_DELAYS_SECONDS: shortRetryDelays.join() } }),
    start,
    rates,
    ...(options.onCall && { onCall: options.onCall }),
    onCommit: (commit) => {
      options.onCommit?.(commit);
      erased.applyCommit(commit);
      commitRules(commit);
    },
    onViolation: (rule, detail) => fail({ rule, detail }),
  });
  const onUnhandledRejection = (error: unknown) =>
    fail({
      rule: 'no function leaves an error uncaught',
      detail: error instanceof Error ? String(error.stack) : String(error),
    });
  process.on('unhandledRejection', onUnhandledRejection);
  const workload = drawWorkload(random.fork('life'), {
    ...options.workload,
    until: start + Math.max(options.checkIntervalMs ?? hour, options.days * day),
  });
  const isCalm = faultNames.every((name) => !rates[name]);
  const faultFreeFrom = options.chooseFault ? Infinity : isCalm ? start : workload.until + hour;
  try {
    await runPhases(world, {
      workload,
      start,
      options,
      retryDelays,
      clockErrorMs,
      faultFreeFrom,
      isBroken: () => violations.length > 0,
      fail,
      erased,
    });
  } finally {
    process.off('unhandledRejection', onUnhandledRejection);
  }
  return {
    options: {
      ...options,
      rates,
      start,
      workload: { ...options.workload, users: workload.users, organizations: workload.organizations },
    },
    violations,
    figures: statisticsOf(world, start),
    hash: world.trace.hash(),
    trace: world.trace.last(),
  };
}

type PhaseOptions = {
  workload: Workload;
  start: number;
  options: RunOptions;
  retryDelays: number[];
  clockErrorMs: number;
  faultFreeFrom: number;
  isBroken: () => boolean;
  fail: (violation: Violation) => void;
  erased: ReturnType<typeof trackErasedTexts>;
};

async function runPhases(
  world: World,
  {
    workload,
    start,
    options,
    retryDelays,
    clockErrorMs,
    faultFreeFrom,
    isBroken,
    fail,
    erased,
  }: PhaseOptions,
): Promise<void> {
  const { timeline, faults, api } = world;
  const { until } = workload;
  const { checkIntervalMs = hour } = options;
  const track = (what: string, work: Promise<unknown>) => {
    let isDone = false;
    work.then(
      () => {
        isDone = true;
      },
      (error: unknown) =>
        fail({
          rule: `${what} completes without an error`,
          detail: error instanceof Error ? String(error.stack) : String(error),
        }),
    );
    return () => isDone;
  };
  const advance = async (end: number, isOver: () => boolean = () => false) => {
    while (timeline.now() < end && !isBroken() && !isOver()) {
      const isQuiet = await timeline.runUntil(
        Math.min(end, timeline.now() + checkIntervalMs),
        maxEventsPerCheck,
      );
      if (!isQuiet) fail({ rule: 'nothing loops forever', detail: new Date(timeline.now()).toISOString() });
      options.progress?.((timeline.now() - start) / day, (until - start) / day);
    }
  };
  const isWorkloadDone = track('the workload', options.scenario?.(api) ?? runWorkload(api, workload));
  await advance(until);
  faults.end();
  await advance(until + day / 2, isWorkloadDone);
  if (!isBroken() && !isWorkloadDone())
    fail({ rule: 'every request is answered in the end', detail: 'the workload still waits for an answer' });
  for (const end = until + maxDrainDays * day; timeline.now() < end && !isBroken(); ) {
    const isHandled = track('the operator’s handling of dead letters', handleDeadLetters(api));
    await advance(timeline.now() + 2 * checkIntervalMs);
    if (isHandled() && world.pending().length === 0) break;
  }
  if (!isBroken() && world.pending().length > 0) {
    fail({ rule: 'everything is drained in the end', detail: world.pending().join('\n') });
  }
  if (eraseCommands(api).length > 0) {
    const isErased = track('the last erasures', repeatErasures(api));
    await advance(timeline.now() + day, isErased);
  }
  options.onDrained?.();
  if (options.sendsFinalRequests ?? true) {
    const isAnswered = track('the final requests', finalRequests(api));
    await advance(timeline.now() + day, isAnswered);
    if (!isBroken() && !isAnswered())
      fail({ rule: 'every request is answered in the end', detail: 'a final request has no answer' });
    // Advances to 90 minutes after the next midnight, because the last day's books are closed an hour after
    // midnight.
    await advance(startOfDay(dayAfter(dayAt(timeline.now()))) + 1.5 * hour);
  }
  if (isBroken()) return;
  const { journal } = api;
  const restored = erased.restored(world.items(), journal);
  const finalState = {
    items: [...world.items()],
    journal,
    now: timeline.now(),
    retryDelays,
    clockErrorMs,
    faultFreeFrom,
    restored,
  };
  options.onEnd?.(finalState);
  for (const violation of checkWorld(finalState)) fail(violation);
  for (const violation of await verifyBooks(world.items(), timeline.now(), options.books)) fail(violation);
}

// UTC hours of New York midnights around changes of daylight saving time, the end of a year and leap days.
const notableMidnights = [
  '2026-03-08T05',
  '2026-03-09T04',
  '2026-11-02T05',
  '2027-01-01T05',
  '2028-02-29T05',
];

/** Draws the start of a run that lasts `days` days. Most runs include one of `notableMidnights`. */
function startOf(random: Random, days: number): number {
  const midnight = Date.parse(`${random.pick(notableMidnights)}:00Z`);
  if (random.chance(0.6)) return Math.floor(midnight - random.next() * days * day);
  return Date.parse('2026-01-01') + random.below(800 * day);
}

/** Returns the statistics of a run: numbers of requests, calls, faults and items. */
function statisticsOf(
  { timeline, lambda, faults, api, items, calls }: World,
  start: number,
): Record<string, number> {
  const { exchanges, receiverCalls, operatorCommands } = api.journal;
  const kinds: Record<string, number> = {};
  let stored = 0;
  for (const { kind } of items()) {
    stored++;
    if (kind) kinds[`records of ${kind}`] = (kinds[`records of ${kind}`] ?? 0) + 1;
  }
  const faultProbabilities = Object.entries(faults.counts()).map(([name, count]) => [
    `fault: ${name}`,
    count,
  ]);
  return {
    'virtual days': Math.round((timeline.now() - start) / day),
    'requests to the API': exchanges.length,
    'lost answers': exchanges.filter(({ answer }) => !answer).length,
    'calls to AWS': calls(),
    'instances started': lambda.started(),
    'items stored': stored,
    ...kinds,
    'calls to webhooks': receiverCalls.length,
    'operator commands': operatorCommands.length,
    ...Object.fromEntries(faultProbabilities),
  };
}
