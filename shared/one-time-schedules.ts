import {
  ActionAfterCompletion,
  CreateScheduleCommand,
  FlexibleTimeWindowMode,
} from '@aws-sdk/client-scheduler';
import { scheduler } from './aws.ts';
import { requiredVariable } from './environment.ts';

/** Makes `start-spin-run` run for an organization at `at`: a whole second in epoch milliseconds. */
export async function scheduleCall(at: number, name: string, organizationId: string): Promise<void> {
  const create = new CreateScheduleCommand({
    Name: name,
    GroupName: requiredVariable('SCHEDULE_GROUP'),
    ScheduleExpression: `at(${new Date(at).toISOString().slice(0, 19)})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: FlexibleTimeWindowMode.OFF },
    ActionAfterCompletion: ActionAfterCompletion.DELETE,
    Target: {
      Arn: requiredVariable('SCHEDULE_TARGET_ARN'),
      RoleArn: requiredVariable('SCHEDULE_ROLE_ARN'),
      DeadLetterConfig: { Arn: requiredVariable('SCHEDULE_DEAD_LETTER_ARN') },
      Input: JSON.stringify({ now: '<aws.scheduler.scheduled-time>', organization_id: organizationId }),
    },
  });
  try {
    await scheduler().send(create);
  } catch (error) {
    // A ConflictException means that a schedule with this name already exists, as it does after a repeated call.
    if (!(error instanceof Error && error.name === 'ConflictException')) throw error;
  }
}
