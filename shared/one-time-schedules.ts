/**
 * Creates one-time schedules in EventBridge Scheduler, which call a worker once at a given time. Operators'
 * commands use them for scheduled changes.
 */
import {
  ActionAfterCompletion,
  CreateScheduleCommand,
  FlexibleTimeWindowMode,
} from '@aws-sdk/client-scheduler';
import { scheduler } from './aws.ts';
import { variable } from './environment.ts';

/**
 * Creates a one-time schedule that calls the worker for scheduled changes at `at` (epoch milliseconds, a
 * whole second) and passes on the organization's id. If a schedule with this name exists, it stays unchanged.
 * EventBridge deletes the schedule after the call. Throws if it is not certain that the schedule exists.
 */
export async function callAt(at: number, name: string, organizationId: string): Promise<void> {
  const create = new CreateScheduleCommand({
    Name: name,
    GroupName: variable('SCHEDULE_GROUP'),
    ScheduleExpression: `at(${new Date(at).toISOString().slice(0, 19)})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: FlexibleTimeWindowMode.OFF },
    ActionAfterCompletion: ActionAfterCompletion.DELETE,
    Target: {
      Arn: variable('SCHEDULE_TARGET_ARN'),
      RoleArn: variable('SCHEDULE_ROLE_ARN'),
      DeadLetterConfig: { Arn: variable('SCHEDULE_DEAD_LETTER_ARN') },
      Input: JSON.stringify({ now: '<aws.scheduler.scheduled-time>', organization_id: organizationId }),
    },
  });
  try {
    await scheduler().send(create);
  } catch (error) {
    // A ConflictException means that a schedule with this name already exists, which is fine.
    if (!(error instanceof Error && error.name === 'ConflictException')) throw error;
  }
}
