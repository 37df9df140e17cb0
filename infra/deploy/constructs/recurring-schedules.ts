import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { Schedule } from '../workers.ts';
import { sendStatement } from './queue.ts';
import { schedulerPrincipal } from './scheduler-principal.ts';

type Options = {
  schedules: (Schedule & { name: string })[];
  /** The function to invoke. */
  target: LambdaFunction;
  deadLetters: Queue;
  stage: DeployedStage;
};

// Retries for an hour; after that, the schedule's next run is due soon anyway.
const retryPolicy = { maximumEventAgeInSeconds: 3600, maximumRetryAttempts: 10 };

/**
 * Creates schedules that invoke a function with `{"now": <the scheduled time>}`. Undelivered and failed
 * invocations go to the same dead-letter queue.
 */
export function createRecurringSchedules(
  home: Construct,
  { schedules, target, deadLetters, stage }: Options,
): void {
  const invoke = new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: [target.functionArn],
  });
  const role = new Role(home, 'ScheduleRole', {
    assumedBy: schedulerPrincipal(home),
    inlinePolicies: { access: new PolicyDocument({ statements: [invoke, sendStatement([deadLetters])] }) },
  });
  for (const { name, expression, timezone } of schedules) {
    new CfnSchedule(home, `Schedule-${name}`, {
      name: `${stackNameOf(stage)}-${name}`,
      scheduleExpression: expression,
      scheduleExpressionTimezone: timezone,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ now: '<aws.scheduler.scheduled-time>' }),
        deadLetterConfig: { arn: deadLetters.queueArn },
        retryPolicy,
      },
    });
  }
  // Scheduler only hands the event to Lambda's queue; retries after that are Lambda's.
  new CfnEventInvokeConfig(home, 'Retries', {
    functionName: target.functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: 2,
    destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
  });
}
