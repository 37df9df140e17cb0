import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { QueueName } from '../../../shared/environment.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { DeclaredSchedule } from '../workers.ts';
import { functionThrottles, queueConditions, tableThrottles, workerConditions } from './alarm-conditions.ts';
import type { DeployedApis } from './api.ts';
import {
  apiFailures,
  createFailureMetric,
  endpointFailures,
  type MonitoredEndpoint,
  slowResponses,
} from './endpoint-conditions.ts';
import type { QueuePair } from './queue.ts';
import type { StageTable } from './table.ts';
import type { DeployedWorker } from './worker.ts';

/** The resources that the alarms and the dashboard monitor, and the recipient of alarms. */
export type Monitored = {
  stage: DeployedStage;
  api: DeployedApis;
  endpoints: MonitoredEndpoint[];
  table: StageTable;
  queues: Partial<Record<QueueName, QueuePair>>;
  workers: DeployedWorker[];
  schedules: Record<string, DeclaredSchedule>;
  /** If undefined, alarms show only in the AWS console. */
  email: string | undefined;
};

export function createAlarms(scope: Construct, monitored: Monitored): Alarm[] {
  const { stage, email, api } = monitored;
  createFailureMetric(scope, api.accessLog, stage);
  const action = email ? new SnsAction(createTopic(scope, email)) : undefined;
  const conditions = [
    apiFailures('api-failures', api.api),
    apiFailures('play-api-failures', api.playApi),
    endpointFailures(stage),
    slowResponses('slow-responses', api.api),
    slowResponses('slow-play-responses', api.playApi),
    functionThrottles(),
    ...tableThrottles(monitored.table),
    ...Object.entries(monitored.queues).flatMap(([name, pair]) => queueConditions(name, pair)),
    ...monitored.workers.flatMap((worker) => workerConditions(worker, monitored.schedules, stage)),
  ];
  return conditions.map(({ id, metric, threshold, below = false, periods = 1, runbook }) => {
    const alarm = new Alarm(scope, id, {
      alarmName: `${stackNameOf(stage)}-${id}`,
      alarmDescription: runbook,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (action) alarm.addAlarmAction(action);
    return alarm;
  });
}

function createTopic(scope: Construct, email: string): Topic {
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions: ofThisAccount }));
  topic.addSubscription(new EmailSubscription(email));
  return topic;
}
