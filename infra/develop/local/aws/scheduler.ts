import type { Clock } from './clock.ts';
import { createDueList, type DueList } from './due.ts';
import { awsError } from './error.ts';
import type { Invoke } from './invoke-function.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import type { Queues } from './queues.ts';
import { createSchedule, type Schedule, type ScheduleDeclaration, type ScheduleInput } from './schedule.ts';
import { invokeTarget } from './schedule-target.ts';

export type Scheduler = {
  /** Throws `ConflictException` if the name is taken. */
  create(name: string, input: ScheduleInput): void;
  list(): Schedule[];
  /**
   * Invokes a schedule's target immediately, as if scheduled at `now`. Rejects for an unknown schedule
   * (`ResourceNotFoundException`) or a failed target.
   */
  fire(name: string, now?: number): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  schedules: ScheduleDeclaration[];
  queues: Queues;
  clock: Clock;
  invoke: Invoke;
  /** Delay in seconds before the first retry; the second retry waits twice as long. Defaults to 1. */
  retrySeconds?: number;
  onError?: (schedule: Schedule, error: unknown) => void;
};

type State = Omit<Options, 'schedules'> & {
  schedules: Map<string, Schedule>;
  due: DueList<Schedule>;
  running: Set<Promise<void>>;
  changed: Notifier;
  signal: AbortSignal;
};

/** Runs schedules when they are due. Calls `onError` for a target that failed all of its retries. */
export function startScheduler({ schedules: declarations, ...options }: Options): Scheduler {
  const { clock } = options;
  const closing = new AbortController();
  const state: State = {
    ...options,
    schedules: new Map(),
    due: createDueList(),
    running: new Set(),
    changed: createNotifier(clock),
    signal: closing.signal,
  };
  for (const { name, ...input } of declarations) create(state, name, input);
  const looping = runWhatIsDue(state);
  return {
    create: (name, input) => create(state, name, input),
    list: () => [...state.schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    fire: async (name, now = clock.now()) => call(state, find(state, name), now),
    async close() {
      closing.abort();
      await looping;
      await Promise.all(state.running);
    },
  };
}

function enqueue({ due }: State, schedule: Schedule): void {
  if (schedule.nextAt !== undefined) due.add(schedule.nextAt, schedule);
}

function create(state: State, name: string, input: ScheduleInput): void {
  const { schedules, clock, changed } = state;
  if (schedules.has(name)) throw awsError('ConflictException', `Schedule ${name} already exists.`, 409);
  const schedule = createSchedule(name, input, clock.now());
  schedules.set(name, schedule);
  enqueue(state, schedule);
  changed.notify();
}

function find({ schedules }: State, name: string): Schedule {
  const schedule = schedules.get(name);
  if (!schedule) throw awsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
  return schedule;
}

/** Invokes the target of a schedule, and counts the invocation as running until it ends. */
function call(state: State, schedule: Schedule, scheduledAt: number): Promise<void> {
  const { running } = state;
  const done: Promise<void> = invokeTarget(schedule, scheduledAt, state);
  const settled = done.catch(() => {}).finally(() => running.delete(settled));
  running.add(settled);
  return done;
}

async function runWhatIsDue(state: State): Promise<void> {
  const { due, clock, changed, signal } = state;
  while (!signal.aborted) {
    const schedule = due.take(clock.now());
    if (schedule) run(state, schedule);
    else await changed.wait(due.next() - clock.now(), signal);
  }
}

function run(state: State, schedule: Schedule): void {
  const scheduledAt = schedule.nextAt!;
  // Makes one run for several that were due while the machine slept.
  schedule.nextAt = schedule.timetable.next(Math.max(scheduledAt, state.clock.now()));
  enqueue(state, schedule);
  call(state, schedule, scheduledAt)
    .catch((error: unknown) => state.onError?.(schedule, error))
    .finally(() => {
      if (schedule.nextAt === undefined) state.schedules.delete(schedule.name);
    });
}
