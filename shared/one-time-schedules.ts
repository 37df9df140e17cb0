/** One-time schedules of EventBridge Scheduler, with which operators' commands have a worker called at a moment. */
import {
  ActionAfterCompletion,
  CreateScheduleCommand,
  FlexibleTimeWindowMode,
} from '@aws-sdk/client-scheduler';
import { scheduler } from './aws.ts';
import { variable } from './environment.ts';

/**
 * Has the worker of changes called for an organization at a time (epoch milliseconds, whole seconds). The schedule
 * exists once by its name, however often it is asked for, and is deleted after its call. Throws if it may not exist.
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
    // There is one of this name already.
    if (!(error instanceof Error && error.name === 'ConflictException')) throw error;
  }
}
