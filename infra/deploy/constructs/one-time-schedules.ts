import { PolicyDocument, Role } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import { sendStatement } from './queue.ts';
import { schedulerPrincipal } from './scheduler-principal.ts';

/** The group of the one-time schedules that functions create, and the role in which those send a message. */
export type OneTimeSchedules = { group: CfnScheduleGroup; role: Role };

/** The group is for one-time schedules alone, so that a function that may create one can reach no other. */
export function createOneTimeSchedules(
  scope: Construct,
  { stage, targets }: { stage: DeployedStage; targets: IQueue[] },
): OneTimeSchedules {
  const group = new CfnScheduleGroup(scope, 'Group', { name: `${stackNameOf(stage)}-one-time` });
  const role = new Role(scope, 'Role', {
    description: 'One-time schedules put messages on queues in this role',
    assumedBy: schedulerPrincipal(scope),
    inlinePolicies: { access: new PolicyDocument({ statements: [sendStatement(targets)] }) },
  });
  return { group, role };
}
