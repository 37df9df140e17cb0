import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Environment } from '../../../shared/environment.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { Schedule } from '../workers.ts';
import { sendStatement } from './queue.ts';

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
 * invocations go to the same dead-letter queue. Returns the role that the schedules assume.
 */
export function createRecurringSchedules(
  home: Construct,
  { schedules, target, deadLetters, stage }: Options,
): Role {
  const role = createRole(home, target, deadLetters);
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
  return role;
}

function createRole(home: Construct, target: LambdaFunction, deadLetters: Queue): Role {
  const invoke = new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: [target.functionArn],
  });
  return new Role(home, 'ScheduleRole', {
    // Restricts the role to schedules of this account.
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(home).account } },
    }),
    inlinePolicies: { access: new PolicyDocument({ statements: [invoke, sendStatement([deadLetters])] }) },
  });
}

/**
 * Creates a group for operators' one-time schedules, so that their permission covers no other schedules. Returns the
 * environment variables that the commands need. One-time and recurring schedules share the target and its role.
 */
export function createOneTimeScheduleGroup(
  home: Construct,
  { role, target, deadLetters, stage }: Omit<Options, 'schedules'> & { role: Role },
): Environment {
  const group = new CfnScheduleGroup(home, 'Moments', { name: `${stackNameOf(stage)}-moments` });
  return {
    SCHEDULE_GROUP: group.ref,
    SCHEDULE_ROLE_ARN: role.roleArn,
    SCHEDULE_TARGET_ARN: target.functionArn,
    SCHEDULE_DEAD_LETTER_ARN: deadLetters.queueArn,
  };
}
