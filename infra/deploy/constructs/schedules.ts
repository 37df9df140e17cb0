import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Environment } from '../../../shared/environment.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { DeclaredSchedule } from '../workers.ts';
import { sendStatement } from './queue.ts';

type Options = {
  schedules: (DeclaredSchedule & { name: string })[];
  target: LambdaFunction;
  deadLetters: Queue;
  stage: DeployedStage;
};

// Retries for at most one hour, because the function's next scheduled invocation does the same work.
const retryPolicy = { maximumEventAgeInSeconds: 3600, maximumRetryAttempts: 10 };

/** Failed invocations go to the dead-letter queue after retries. */
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
  // EventBridge Scheduler invokes the function asynchronously, so Lambda itself retries failed invocations.
  // This resource configures Lambda's retries.
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
    // Only EventBridge schedules of this AWS account may use the role.
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(home).account } },
    }),
    inlinePolicies: { access: new PolicyDocument({ statements: [invoke, sendStatement([deadLetters])] }) },
  });
}

/** Creates the group of operators' one-time schedules, to which operators' IAM policies can be limited. */
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
