import { scheduleArn } from './arns.ts';
import { awsError } from './error.ts';
import { parseExpression, type Timetable } from './schedule-expression.ts';

/** What a schedule calls: the ARN of a queue or a function. */
export type ScheduleTarget = {
  Arn: string;
  RoleArn?: string;
  Input?: string;
  RetryPolicy?: { MaximumRetryAttempts?: number; MaximumEventAgeInSeconds?: number };
  DeadLetterConfig?: { Arn?: string };
  SqsParameters?: { MessageGroupId?: string };
};

/** A schedule as Scheduler's operations have it; dates are epoch seconds. */
export type ScheduleInput = {
  ScheduleExpression: string;
  ScheduleExpressionTimezone?: string;
  Target: ScheduleTarget;
  FlexibleTimeWindow?: { Mode: string; MaximumWindowInMinutes?: number };
  GroupName?: string;
  StartDate?: number;
  EndDate?: number;
  Description?: string;
  State?: 'ENABLED' | 'DISABLED';
  ActionAfterCompletion?: 'NONE' | 'DELETE';
  ClientToken?: string;
};

/** A schedule that is kept: its input, its times and when it runs next. Times are epoch milliseconds. */
export type Schedule = {
  name: string;
  group: string;
  arn: string;
  input: ScheduleInput;
  createdAt: number;
  changedAt: number;
  nextAt: number | undefined;
};

export const defaultGroup = 'default';

/** A schedule of the fixed ones: plain data, in the default group. */
export type ScheduleDeclaration = {
  name: string;
  expression: string;
  /** UTC where absent. */
  timeZone?: string;
  target: ScheduleTarget;
};

export const toInput = ({ expression, timeZone = 'UTC', target }: ScheduleDeclaration): ScheduleInput => ({
  ScheduleExpression: expression,
  ScheduleExpressionTimezone: timeZone,
  Target: target,
  FlexibleTimeWindow: { Mode: 'OFF' },
});

const largestInputBytes = 256 * 1024;

/** Makes a schedule that counts from `now`, or throws a `ValidationException`. */
export function createSchedule(name: string, input: ScheduleInput, now: number, createdAt = now): Schedule {
  if (!/^[\w.-]{1,64}$/.test(name)) throw awsError('ValidationException', `Invalid schedule name ${name}.`);
  if (!input.Target?.Arn) throw awsError('ValidationException', 'A schedule needs a target with an Arn.');
  if (Buffer.byteLength(input.Target.Input ?? '') > largestInputBytes)
    throw awsError('ValidationException', `An input may have at most ${largestInputBytes} bytes.`);
  const group = input.GroupName ?? defaultGroup;
  const schedule = { name, group, arn: scheduleArn(group, name), input, createdAt, changedAt: now };
  const times = timetable(schedule);
  // A one-time schedule in the past is due at once rather than never, so that nothing waits for ever.
  const from = times.once ? Number.NEGATIVE_INFINITY : now - 1;
  return { ...schedule, nextAt: nextRun(schedule, from) };
}

/** The first run after a time, within the schedule's start and end; undefined when it is complete or disabled. */
export function nextRun(schedule: Omit<Schedule, 'nextAt'>, after: number): number | undefined {
  const { State, StartDate, EndDate } = schedule.input;
  if (State === 'DISABLED') return undefined;
  const times = timetable(schedule);
  if (times.once) return times.next(after);
  const next = times.next(StartDate === undefined ? after : Math.max(after, StartDate * 1000 - 1));
  return next !== undefined && EndDate !== undefined && next > EndDate * 1000 ? undefined : next;
}

function timetable({ input, changedAt }: Omit<Schedule, 'nextAt'>): Timetable {
  const start = input.StartDate === undefined ? changedAt : input.StartDate * 1000;
  try {
    return parseExpression(input.ScheduleExpression, input.ScheduleExpressionTimezone ?? 'UTC', start);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw awsError(
      'ValidationException',
      `Invalid Schedule Expression ${input.ScheduleExpression}: ${reason}.`,
    );
  }
}
