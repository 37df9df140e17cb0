import { createBell } from './bell.ts';
import type { Clock } from './clock.ts';
import { awsError } from './error.ts';
import type { Queues } from './queues.ts';
import {
  createSchedule,
  defaultGroup,
  nextRun,
  type Schedule,
  type ScheduleDeclaration,
  type ScheduleInput,
  toInput,
} from './schedule.ts';
import { callTarget, type Invoke } from './schedule-target.ts';

export type Scheduler = {
  /** Throws `ConflictException` for a name in use, unless the same client token made it. */
  create(name: string, input: ScheduleInput): Schedule;
  /** Replaces all of a schedule. Throws `ResourceNotFoundException`, as the next two do. */
  update(name: string, input: ScheduleInput): Schedule;
  get(name: string, group?: string): Schedule;
  delete(name: string, group?: string): void;
  /** All schedules, by name. */
  list(): Schedule[];
  /**
   * Calls a schedule's target at once, as if it were `now` (epoch milliseconds), and leaves its timetable alone.
   * Rejects if there is no such schedule or its target fails.
   */
  fire(name: string, now?: number): Promise<void>;
  /** Ends the waiting; resolves when the calls under way have ended. */
  close(): Promise<void>;
};

/** Starts running schedules by the clock. A call that fails for good is told to `onError`. */
export function startScheduler(options: {
  schedules: ScheduleDeclaration[];
  queues: Queues;
  clock: Clock;
  invoke: Invoke;
  onError?: (schedule: Schedule, error: unknown) => void;
}): Scheduler {
  const { queues, clock, invoke, onError } = options;
  const schedules = new Map<string, Schedule>();
  const bell = createBell(clock);
  const closing = new AbortController();
  const { signal } = closing;
  const running = new Set<Promise<void>>();

  const keep = (schedule: Schedule) => {
    schedules.set(key(schedule.group, schedule.name), schedule);
    bell.ring();
    return schedule;
  };
  const get = (name: string, group = defaultGroup) => {
    const schedule = schedules.get(key(group, name));
    if (!schedule) throw awsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
    return schedule;
  };
  const call = (schedule: Schedule, scheduledAt: number) => {
    const done: Promise<void> = callTarget(schedule, scheduledAt, { queues, invoke, clock, signal });
    const settled = done.catch(() => {}).finally(() => running.delete(settled));
    running.add(settled);
    return done;
  };
  const complete = (schedule: Schedule) => {
    const { name, group, input } = schedule;
    // It may have been replaced while its last call was under way.
    const isSame = schedules.get(key(group, name)) === schedule;
    if (isSame && input.ActionAfterCompletion === 'DELETE') schedules.delete(key(group, name));
  };
  const run = (schedule: Schedule, scheduledAt: number) => {
    // Runs that were missed while the machine slept are made up for by one.
    schedule.nextAt = nextRun(schedule, Math.max(scheduledAt, clock.now()));
    call(schedule, scheduledAt)
      .catch((error: unknown) => onError?.(schedule, error))
      .finally(() => {
        if (schedule.nextAt === undefined) complete(schedule);
      });
  };
  const loop = async () => {
    while (!signal.aborted) {
      const now = clock.now();
      let earliest = Number.POSITIVE_INFINITY;
      for (const schedule of [...schedules.values()]) {
        if (schedule.nextAt !== undefined && schedule.nextAt <= now) run(schedule, schedule.nextAt);
        earliest = Math.min(earliest, schedule.nextAt ?? earliest);
      }
      await bell.wait(earliest - now, signal);
    }
  };

  for (const declaration of options.schedules) {
    keep(createSchedule(declaration.name, toInput(declaration), clock.now()));
  }
  const looping = loop();

  return {
    get,
    create(name, input) {
      const existing = schedules.get(key(input.GroupName ?? defaultGroup, name));
      if (!existing) return keep(createSchedule(name, input, clock.now()));
      const isRepeat = input.ClientToken !== undefined && existing.input.ClientToken === input.ClientToken;
      if (isRepeat) return existing;
      throw awsError('ConflictException', `Schedule ${name} already exists.`, 409);
    },
    update: (name, input) =>
      keep(createSchedule(name, input, clock.now(), get(name, input.GroupName).createdAt)),
    delete(name, group) {
      const schedule = get(name, group);
      schedules.delete(key(schedule.group, name));
    },
    list: () => [...schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    fire: async (name, now = clock.now()) => call(get(name), now),
    async close() {
      closing.abort();
      await looping;
      await Promise.all(running);
    },
  };
}

const key = (group: string, name: string) => `${group}/${name}`;
