import { Stack } from 'aws-cdk-lib';
import { type PrincipalBase, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** EventBridge Scheduler, acting for schedules of this account and no other. */
export function schedulerPrincipal(scope: Construct): PrincipalBase {
  return new ServicePrincipal('scheduler.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
}
