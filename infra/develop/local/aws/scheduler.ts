import type { Clock } from './clock.ts';
import { createDueList, type DueList } from './due.ts';
import { awsError } from './error.ts';
import type { Invoke } from './invoke-function.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import type { Queues } from './queues.ts';
import {
  createSchedule,
  defaultGroup,
  type Schedule,
  type ScheduleDeclaration,
  type ScheduleInput,
} from './schedule.ts';
import { callTarget } from './schedule-target.ts';

export type Scheduler = {
  /** Throws `ConflictException` for a name in use, unless the same client token made it. */
  create(name: string, input: ScheduleInput): Schedule;
  /** All schedules, by name. */
  list(): Schedule[];
  /**
   * Calls a schedule's target at once, as if it were `now` (epoch milliseconds), and leaves its timetable alone.
   * Rejects with `ResourceNotFoundException` if there is no such schedule, or with what its target fails with.
   */
  fire(name: string, now?: number): Promise<void>;
  /** Ends the waiting; resolves when the calls under way have ended. */
  close(): Promise<void>;
};

type Options = {
  schedules: ScheduleDeclaration[];
  queues: Queues;
  clock: Clock;
  invoke: Invoke;
  /** How long after a first failure a function is called again; after a second, twice as long. 1 by default. */
  retrySeconds?: number;
  onError?: (schedule: Schedule, error: unknown) => void;
};

type State = Omit<Options, 'schedules'> & {
  schedules: Map<string, Schedule>;
  due: DueList<Schedule>;
  executions: number;
  running: Set<Promise<void>>;
  changed: Notifier;
  signal: AbortSignal;
};

/** Starts running schedules by the clock. A call that fails for good is told to `onError`. */
export function startScheduler({ schedules: declarations, ...options }: Options): Scheduler {
  const { clock } = options;
  const closing = new AbortController();
  const state: State = {
    ...options,
    schedules: new Map(),
    due: createDueList(),
    executions: 0,
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

const key = (group: string, name: string) => `${group}/${name}`;

function keep(state: State, schedule: Schedule): Schedule {
  state.schedules.set(key(schedule.group, schedule.name), schedule);
  lineUp(state, schedule);
  state.changed.notify();
  return schedule;
}

function lineUp({ due }: State, schedule: Schedule): void {
  if (schedule.nextAt !== undefined) due.add(schedule.nextAt, schedule);
}

function create(state: State, name: string, input: ScheduleInput): Schedule {
  const existing = state.schedules.get(key(input.GroupName ?? defaultGroup, name));
  if (!existing) return keep(state, createSchedule(name, input, state.clock.now()));
  const isRepeat = input.ClientToken !== undefined && existing.input.ClientToken === input.ClientToken;
  if (isRepeat) return existing;
  throw awsError('ConflictException', `Schedule ${name} already exists.`, 409);
}

function find({ schedules }: State, name: string): Schedule {
  const schedule = schedules.get(key(defaultGroup, name));
  if (!schedule) throw awsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
  return schedule;
}

/** Calls a schedule's target; the call counts as running until it has ended. */
function call(state: State, schedule: Schedule, scheduledAt: number): Promise<void> {
  const { running } = state;
  const executionId = String(++state.executions);
  const done: Promise<void> = callTarget(schedule, { scheduledAt, executionId }, state);
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
  // Runs that were missed while the machine slept are made up for by one.
  schedule.nextAt = schedule.timetable.next(Math.max(scheduledAt, state.clock.now()));
  lineUp(state, schedule);
  call(state, schedule, scheduledAt)
    .catch((error: unknown) => state.onError?.(schedule, error))
    .finally(() => {
      const { name, group, input, nextAt } = schedule;
      if (nextAt === undefined && input.ActionAfterCompletion === 'DELETE') {
        state.schedules.delete(key(group, name));
      }
    });
}
