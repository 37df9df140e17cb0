import { scheduleArn } from './arns.ts';
import { awsError } from './error.ts';
import { parseExpression, type Timetable } from './schedule-expression.ts';

export type ScheduleTarget = {
  Arn: string;
  RoleArn?: string;
  Input: string;
  DeadLetterConfig?: { Arn?: string };
};

/** Input of EventBridge Scheduler's `CreateSchedule`. */
export type ScheduleInput = {
  ScheduleExpression: string;
  ScheduleExpressionTimezone?: string;
  Target: ScheduleTarget;
  FlexibleTimeWindow?: { Mode: string };
  GroupName?: string;
  ActionAfterCompletion?: 'NONE' | 'DELETE';
  ClientToken?: string;
};

/** `nextAt` is the time of its next run in epoch milliseconds. */
export type Schedule = {
  name: string;
  group: string;
  arn: string;
  input: ScheduleInput;
  timetable: Timetable;
  nextAt: number | undefined;
};

export const defaultGroup = 'default';

export type ScheduleDeclaration = ScheduleInput & { name: string };

const maxInputBytes = 256 * 1024;

/** Creates a schedule that starts at `now` (epoch milliseconds). Throws a `ValidationException` for invalid input. */
export function createSchedule(name: string, input: ScheduleInput, now: number): Schedule {
  if (!/^[\w.-]{1,64}$/.test(name)) throw awsError('ValidationException', `Invalid schedule name ${name}.`);
  if (!input.Target?.Arn || !input.Target.Input) {
    throw awsError('ValidationException', 'The local stage needs a target with an Arn and an Input.');
  }
  if (Buffer.byteLength(input.Target.Input) > maxInputBytes)
    throw awsError('ValidationException', `An input may have at most ${maxInputBytes} bytes.`);
  const group = input.GroupName ?? defaultGroup;
  const timetable = timetableOf(input, now);
  // A one-time schedule in the past runs immediately. A recurring schedule first runs at or after `now`.
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
