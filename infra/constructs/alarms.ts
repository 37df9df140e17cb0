import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { QueueName } from '../../shared/api/route.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { QueuePair } from './queue.ts';
import type { StandingWorker } from './worker.ts';

/** What is watched, and who is told. */
type Watched = {
  stage: DeployedStage;
  api: RestApi;
  queues: Partial<Record<QueueName, QueuePair>>;
  workers: StandingWorker[];
  /** Gets a mail for every alarm; without it alarms only show in the console. */
  email: string | undefined;
};
type Condition = {
  id: string;
  metric: IMetric;
  /** The alarm rises when the metric is at or above this. */
  threshold: number;
  /** For so many of the metric's periods in a row; 1 where absent. */
  periods?: number;
  /** What it means and what to do: the alarm's description. */
  runbook: string;
};

/** Alarms for all that a person has to look at, each saying what to do. */
export function createAlarms(scope: Construct, watched: Watched): void {
  const { stage, email } = watched;
  const action = email ? new SnsAction(createTopic(scope, email)) : undefined;
  const conditions = [
    apiFailures(watched.api),
    ...Object.entries(watched.queues).flatMap(([name, pair]) => queueConditions(name, pair)),
    ...watched.workers.flatMap((worker) => workerConditions(worker, stage)),
  ];
  for (const { id, metric, threshold, periods = 1, runbook } of conditions) {
    const alarm = new Alarm(scope, id, {
      alarmName: `${stackNameOf(stage)}-${id}`,
      alarmDescription: runbook,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (action) alarm.addAlarmAction(action);
  }
}

function createTopic(scope: Construct, email: string): Topic {
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions: ofThisAccount }));
  topic.addSubscription(new EmailSubscription(email));
  return topic;
}

const oneMinute = { period: Duration.minutes(1) };
const fiveMinutes = { period: Duration.minutes(5) };

function apiFailures(api: RestApi): Condition {
  return {
    id: 'api-failures',
    metric: api.metricServerError({ ...fiveMinutes, statistic: Stats.SUM }),
    threshold: 5,
    runbook:
      'Requests are answered with 5XX. Find them in the access log by status, then the error in the log of the ' +
      'function of that path by request_id. Callers may repeat them: an idempotency key counts once.',
  };
}

function deadLettersOf(owner: string, queue: Queue, content: string): Condition {
  return {
    id: `${owner}-dead-letters`,
    metric: queue.metricApproximateNumberOfMessagesVisible({ ...oneMinute, statistic: Stats.MAXIMUM }),
    threshold: 1,
    runbook: `${content} They are kept for 14 days. Find the reason in the log of the function, mend it, then send them again (redrive); the work is safe to repeat.`,
  };
}

function queueConditions(name: string, { queue, deadLetters }: QueuePair): Condition[] {
  return [
    deadLettersOf(
      name,
      deadLetters,
      `Messages of the queue ${name} have failed for good and lie in ${name}'s dead-letter queue.`,
    ),
    {
      id: `${name}-waiting`,
      metric: queue.metricApproximateAgeOfOldestMessage({ ...fiveMinutes, statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(30).toSeconds(),
      runbook: `A message waits on the queue ${name} for 30 minutes, longer than any delay it is given: its worker is too slow, is failing or is throttled. Look at the worker's errors, duration and concurrency.`,
    },
  ];
}

function workerConditions(standing: StandingWorker, stage: DeployedStage): Condition[] {
  const { worker, function: target, deadLetters } = standing;
  const id = worker.name.split('/').at(-1)!;
  const conditions: Condition[] = [
    {
      id: `${id}-errors`,
      metric: target.metricErrors({ ...fiveMinutes, statistic: Stats.SUM }),
      threshold: 1,
      periods: 2,
      runbook: `${worker.name} has been failing for ten minutes. What it was at is tried again; its log says what went wrong.`,
    },
  ];
  if (deadLetters) {
    conditions.push(deadLettersOf(id, deadLetters, `Calls of ${worker.name} have failed for good.`));
  }
  if ('stream' in worker.source) {
    conditions.push({
      id: `${id}-behind`,
      metric: target.metric('IteratorAge', { ...oneMinute, statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(1).toMilliseconds(),
      periods: 5,
      runbook: `${worker.name} is more than a minute behind the table's stream, which keeps its records for 24 hours only. Look for a batch that fails again and again in its log, or raise parallelPerShard in infra/workers.ts.`,
    });
  }
  for (const { metric, threshold, minutes, runbook } of worker.alarms ?? []) {
    conditions.push({
      id: `${id}-${metric}`,
      metric: new Metric({
        namespace: stackNameOf(stage),
        metricName: metric,
        dimensionsMap: { service: 'incentives' },
        statistic: Stats.SUM,
        period: Duration.minutes(minutes),
      }),
      threshold,
      runbook,
    });
  }
  return conditions;
}
