import { scheduleArn } from './arns.ts';
import { awsError } from './error.ts';
import { parseExpression, type Timetable } from './schedule-expression.ts';

/** What a schedule calls: the ARN of a queue or a function, and the message or event that it gets. */
export type ScheduleTarget = {
  Arn: string;
  RoleArn?: string;
  Input: string;
  DeadLetterConfig?: { Arn?: string };
};

/** A schedule as `CreateSchedule` takes it. */
export type ScheduleInput = {
  ScheduleExpression: string;
  ScheduleExpressionTimezone?: string;
  Target: ScheduleTarget;
  FlexibleTimeWindow?: { Mode: string };
  GroupName?: string;
  ActionAfterCompletion?: 'NONE' | 'DELETE';
  ClientToken?: string;
};

/** A schedule that is kept: its input, its times and when it runs next, as epoch milliseconds. */
export type Schedule = {
  name: string;
  group: string;
  arn: string;
  input: ScheduleInput;
  timetable: Timetable;
  nextAt: number | undefined;
};

export const defaultGroup = 'default';

/** A schedule of the fixed ones, in the default group. */
export type ScheduleDeclaration = ScheduleInput & { name: string };

const largestInputBytes = 256 * 1024;

/** Makes a schedule that counts from `now`, or throws a `ValidationException`. */
export function createSchedule(name: string, input: ScheduleInput, now: number): Schedule {
  if (!/^[\w.-]{1,64}$/.test(name)) throw awsError('ValidationException', `Invalid schedule name ${name}.`);
  if (!input.Target?.Arn || !input.Target.Input) {
    throw awsError('ValidationException', 'The local stage needs a target with an Arn and an Input.');
  }
  if (Buffer.byteLength(input.Target.Input) > largestInputBytes)
    throw awsError('ValidationException', `An input may have at most ${largestInputBytes} bytes.`);
  const group = input.GroupName ?? defaultGroup;
  const timetable = timetableOf(input, now);
  // A one-time schedule in the past is due at once rather than never, so that nothing waits for ever.
  const nextAt = timetable.next(timetable.once ? Number.NEGATIVE_INFINITY : now - 1);
  return { name, group, arn: scheduleArn(group, name), input, timetable, nextAt };
}

function timetableOf(input: ScheduleInput, start: number): Timetable {
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
