/** A world from its beginning to its end: settled, troubled, left in peace until all is drained, and judged. */
import type { Bundles } from './bundles.ts';
import { type Rates, ratesOf, troubleNames } from './faults.ts';
import { finalQuestions } from './inhabitants/final-questions.ts';
import { eraseAgain, erasing } from './inhabitants/operators.ts';
import { seeToDeadLetters } from './inhabitants/runbooks.ts';
import { drawOptions, type Options as Life, settle } from './inhabitants/settle.ts';
import type { Api } from './inhabitants/surroundings.ts';
import { createRandom, type Random } from './random.ts';
import { checkWorld } from './rules/check-world.ts';
import { createCommitRules } from './rules/commit-rules.ts';
import { rememberErased } from './rules/erasures.ts';
import { usualAllowances, type Violation } from './rules/rule.ts';
import { dayAfter, dayAt, startOf as startOfDay } from './rules/true-time.ts';
import { verifyBooks } from './rules/verified-books.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** What a run is to be. */
export type RunOptions = Pick<WorldOptions, 'befall' | 'older'> & {
  seed: number;
  bundles: Bundles;
  /** Days in which the inhabitants are busy. */
  days: number;
  /** The day on which it begins follows from the seed if absent; epoch milliseconds. */
  start?: number | undefined;
  /** The troubles are those of the seed if absent. */
  rates?: Rates | undefined;
  /** What the life in it is like; the rest follows from the seed. */
  life?: Partial<Life>;
  /** Lives in it instead of the hosts, players and operators. */
  inhabit?: (api: Api) => Promise<void>;
  /** How often it is looked whether what is waited for is done, in milliseconds; an hour if absent. */
  lookMs?: number;
  /** Whether all is asked for in the end that there is; it is if absent. */
  questioned?: boolean;
  /** Told when all is drained, before anything is asked. */
  drained?: () => void;
  /** A folder for the books of all days, with their records. */
  books?: string | undefined;
  /** Told of every line of the trace. */
  line?: ((line: string) => void) | undefined;
  /** Told of the days that have passed. */
  progress?: ((day: number, days: number) => void) | undefined;
};

/** What a run came to. */
export type Run = {
  /** With all that followed from the seed and may be given instead. */
  options: RunOptions & { rates: Rates };
  /** Rules that were broken, the first one first; none if all is right. */
  violations: Violation[];
  /** When the first one was found. */
  brokenOnDay: number | undefined;
  figures: Record<string, number>;
  hash: string;
  trace: string[];
};

const hour = 3_600_000;
const day = 24 * hour;
/**
 * The longest that anything may take once nothing goes wrong any more: the last retries of a delivery, and a
 * redrive.
 */
const mostDaysToDrain = 4;
/**
 * Four times what happened in the busiest hour of any world so far: a midnight with a thousand spins, of which several
 * webhooks are told. More goes round in a circle.
 */
const mostInALook = 1_000_000;
/** Seconds between attempts of a delivery, in worlds whose hosts are given up sooner. */
const hastened = [5, 300, 1800, 1800, 3600, 3600, 3600];

/** The rows of a block of the row index: mostly few, so that a day's rows fill several; and the usual ones. */
const blockSizes = [undefined, 2, 5, 16];

/** Runs a world. It ends as soon as a rule is broken. */
export async function runWorld(options: RunOptions): Promise<Run> {
  const random = createRandom(`run ${options.seed}`);
  const rates = options.rates ?? ratesOf(random.fork('rates'));
  const start = options.start ?? startOf(random.fork('start'), options.days);
  const violations: Violation[] = [];
  let brokenAt: number | undefined;
  const fail = (violation: Violation) => {
    brokenAt ??= world.timeline.now();
    violations.push(violation);
  };
  // In a day nothing would come to its last attempt otherwise.
  const isHastened = random.fork('delays').chance(0.5);
  const retryDelays = isHastened ? hastened : usualAllowances.retryDelays;
  // An earlier version may know of no such blocks, and flows have their calls counted.
  const isUsual = options.older !== undefined || options.inhabit !== undefined;
  const rowsPerBlock = isUsual ? undefined : random.fork('blocks').pick(blockSizes);
  const erased = rememberErased();
  const commitRules = createCommitRules({ fail });
  const world: World = createWorld({
    ...options,
    rowsPerBlock,
    ...(isHastened && { environment: { RETRY_DELAYS_SECONDS: hastened.join() } }),
    start,
    rates,
    committed: (commit) => {
      erased.see(commit);
      commitRules(commit);
    },
    misbehaved: (rule, detail) => fail({ rule, detail }),
  });
  const unheard = (error: unknown) =>
    fail({
      rule: 'no function leaves an error to nobody',
      detail: error instanceof Error ? String(error.stack) : String(error),
    });
  process.on('unhandledRejection', unheard);
  const life = drawOptions(random.fork('life'), {
    ...options.life,
    until: start + Math.max(options.lookMs ?? hour, options.days * day),
  });
  const isCalm = troubleNames.every((name) => !rates[name]);
  const peaceFrom = options.befall ? Infinity : isCalm ? start : life.until + hour;
  try {
    await live(world, {
      life,
      start,
      options,
      retryDelays,
      peaceFrom,
      isBroken: () => violations.length > 0,
      fail,
      erased,
    });
  } finally {
    process.off('unhandledRejection', unheard);
  }
  return {
    options: {
      ...options,
      rates,
      start,
      life: { ...options.life, users: life.users, organizations: life.organizations },
    },
    violations,
    brokenOnDay: brokenAt === undefined ? undefined : (brokenAt - start) / day,
    figures: figuresOf(world, start),
    hash: world.trace.hash(),
    trace: world.trace.last(),
  };
}

type Living = {
  life: Life;
  start: number;
  options: RunOptions;
  retryDelays: number[];
  peaceFrom: number;
  isBroken: () => boolean;
  fail: (violation: Violation) => void;
  erased: ReturnType<typeof rememberErased>;
};

async function live(
  world: World,
  { life, start, options, retryDelays, peaceFrom, isBroken, fail, erased }: Living,
): Promise<void> {
  const { timeline, faults, api } = world;
  const { until } = life;
  const { lookMs = hour } = options;
  const doing = (what: string, work: Promise<unknown>) => {
    let isDone = false;
    work.then(
      () => {
        isDone = true;
      },
      (error: unknown) =>
        fail({
          rule: `${what} goes on`,
          detail: error instanceof Error ? String(error.stack) : String(error),
        }),
    );
    return () => isDone;
  };
  const pass = async (end: number, isOver: () => boolean = () => false) => {
    while (timeline.now() < end && !isBroken() && !isOver()) {
      const isQuiet = await timeline.runUntil(Math.min(end, timeline.now() + lookMs), mostInALook);
      if (!isQuiet)
        fail({ rule: 'nothing is repeated without end', detail: new Date(timeline.now()).toISOString() });
      options.progress?.((timeline.now() - start) / day, (until - start) / day);
    }
  };
  const hasSettled = doing('the life of the inhabitants', options.inhabit?.(api) ?? settle(api, life));
  await pass(until);
  faults.end();
  await pass(until + day / 2, hasSettled);
  if (!isBroken() && !hasSettled())
    fail({ rule: 'every request is answered in the end', detail: 'somebody still waits' });
  for (const end = until + mostDaysToDrain * day; timeline.now() < end && !isBroken(); ) {
    const hasSeen = doing('the work of the operator', seeToDeadLetters(api));
    await pass(timeline.now() + 2 * lookMs);
    if (hasSeen() && world.pending().length === 0) break;
  }
  if (!isBroken() && world.pending().length > 0) {
    fail({ rule: 'all is drained in the end', detail: world.pending().join('\n') });
  }
  if (erasing(api).length > 0) {
    const hasErased = doing('the last erasing', eraseAgain(api));
    await pass(timeline.now() + day, hasErased);
  }
  options.drained?.();
  if (options.questioned ?? true) {
    const hasAnswered = doing('the questioning', finalQuestions(api));
    await pass(timeline.now() + day, hasAnswered);
    if (!isBroken() && !hasAnswered())
      fail({ rule: 'every request is answered in the end', detail: 'a last question is not' });
    // The last day that anything happened on is closed an hour after it is over.
    await pass(startOfDay(dayAfter(dayAt(timeline.now()))) + 1.5 * hour);
  }
  if (isBroken()) return;
  const { journal } = api;
  const restored = erased.restored(world.items(), journal);
  const ended = { items: world.items(), journal, now: timeline.now(), retryDelays, peaceFrom, restored };
  for (const violation of checkWorld(ended)) fail(violation);
  for (const violation of await verifyBooks(world.items(), timeline.now(), options.books)) fail(violation);
}

// Midnights in New York around which the clocks change, a year ends, and a February has 29 days.
const interesting = ['2026-03-08T05', '2026-03-09T04', '2026-11-02T05', '2027-01-01T05', '2028-02-29T05'];

/** When a world of so many days begins: often so that one of these midnights is in it. */
function startOf(random: Random, days: number): number {
  const midnight = Date.parse(`${random.pick(interesting)}:00Z`);
  if (random.chance(0.6)) return Math.floor(midnight - random.next() * days * day);
  return Date.parse('2026-01-01') + random.below(800 * day);
}

/** What happened, in figures. */
function figuresOf(
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
  const troubles = Object.entries(faults.counts()).map(([name, count]) => [`trouble: ${name}`, count]);
  return {
    'virtual days': Math.round((timeline.now() - start) / day),
    'requests to the API': exchanges.length,
    'answers lost': exchanges.filter(({ answer }) => !answer).length,
    'calls to AWS': calls(),
    'instances started': lambda.started(),
    'items stored': stored,
    ...kinds,
    'calls to webhooks': receiverCalls.length,
    "operators' commands": operatorCommands.length,
    ...Object.fromEntries(troubles),
  };
}
