import { awsError } from './error.ts';
import { parseTimetable, type Timetable } from './schedule-expression.ts';

/** The supported input of EventBridge Scheduler's `CreateSchedule`. */
export type ScheduleInput = {
  ScheduleExpression: string;
  ScheduleExpressionTimezone?: string;
  Target: { Arn: string; Input: string; DeadLetterConfig?: { Arn?: string } };
};

/** `nextAt` is the time of the next run in epoch milliseconds. */
export type Schedule = {
  name: string;
  input: ScheduleInput;
  timetable: Timetable;
  nextAt: number | undefined;
};

export type ScheduleDeclaration = ScheduleInput & { name: string };

/** Creates a schedule that starts at `now` (epoch milliseconds). Throws a `ValidationException` for invalid input. */
export function createSchedule(name: string, input: ScheduleInput, now: number): Schedule {
  if (!/^[\w.-]{1,64}$/.test(name)) throw awsError('ValidationException', `Invalid schedule name ${name}.`);
  const timetable = timetableOf(input, now);
  // A one-time schedule in the past runs immediately. A recurring schedule first runs at or after `now`.
  const nextAt = timetable.next(timetable.once ? Number.NEGATIVE_INFINITY : now - 1);
  return { name, input, timetable, nextAt };
}

function timetableOf(input: ScheduleInput, start: number): Timetable {
  try {
    return parseTimetable(input.ScheduleExpression, input.ScheduleExpressionTimezone ?? 'UTC', start);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw awsError(
      'ValidationException',
      `Invalid Schedule Expression ${input.ScheduleExpression}: ${reason}.`,
    );
  }
}
