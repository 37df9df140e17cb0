import type { Clock } from './clock.ts';
import { awsError } from './error.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import type { Queues } from './queues.ts';
import {
  createSchedule,
  defaultGroup,
  type Schedule,
  type ScheduleDeclaration,
  type ScheduleInput,
  toInput,
} from './schedule.ts';
import { callTarget, type Invoke } from './schedule-target.ts';

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
  onError?: (schedule: Schedule, error: unknown) => void;
};

type State = Omit<Options, 'schedules'> & {
  schedules: Map<string, Schedule>;
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
    running: new Set(),
    changed: createNotifier(clock),
    signal: closing.signal,
  };
  for (const declaration of declarations) {
    keep(state, createSchedule(declaration.name, toInput(declaration), clock.now()));
  }
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

function keep({ schedules, changed }: State, schedule: Schedule): Schedule {
  schedules.set(key(schedule.group, schedule.name), schedule);
  changed.notify();
  return schedule;
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
  const done: Promise<void> = callTarget(schedule, scheduledAt, state);
  const settled = done.catch(() => {}).finally(() => running.delete(settled));
  running.add(settled);
  return done;
}

async function runWhatIsDue(state: State): Promise<void> {
  const { schedules, clock, changed, signal } = state;
  while (!signal.aborted) {
    const now = clock.now();
    let earliest = Number.POSITIVE_INFINITY;
    for (const schedule of [...schedules.values()]) {
      if (schedule.nextAt !== undefined && schedule.nextAt <= now) run(state, schedule, schedule.nextAt);
      earliest = Math.min(earliest, schedule.nextAt ?? earliest);
    }
    await changed.wait(earliest - now, signal);
  }
}

function run(state: State, schedule: Schedule, scheduledAt: number): void {
  // Runs that were missed while the machine slept are made up for by one.
  schedule.nextAt = schedule.timetable.next(Math.max(scheduledAt, state.clock.now()));
  call(state, schedule, scheduledAt)
    .catch((error: unknown) => state.onError?.(schedule, error))
    .finally(() => {
      const { name, group, input, nextAt } = schedule;
      if (nextAt === undefined && input.ActionAfterCompletion === 'DELETE') {
        state.schedules.delete(key(group, name));
      }
    });
}
