import { Duration } from 'aws-cdk-lib';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { MetricName } from '../../../shared/metrics.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { DeclaredSchedule, MetricAlarm } from '../workers.ts';
import type { QueuePair } from './queue.ts';
import type { StageTable } from './table.ts';
import type { DeployedWorker } from './worker.ts';

export type AlarmCondition = {
  id: string;
  metric: IMetric;
  /** The alarm goes off when the metric is at or above this value, unless `below` is set. */
  threshold: number;
  /** If true, the alarm goes off when the metric is below the threshold or has no data. */
  below?: boolean;
  /** Number of consecutive metric periods that must meet the condition before the alarm goes off; 1 if absent. */
  periods?: number;
  runbook: string;
};

const oneMinute = { period: Duration.minutes(1) };
const fiveMinutes = { period: Duration.minutes(5) };

export function functionThrottles(): AlarmCondition {
  return {
    id: 'function-throttles',
    metric: LambdaFunction.metricAllThrottles({ ...fiveMinutes, statistic: Stats.SUM }),
    threshold: 1,
    runbook:
      'Lambda throttles functions of this account. Callers get a 503 and may retry; workers wait. All functions of ' +
      'the account and Region share one quota, including those of other applications. Compare ConcurrentExecutions ' +
      'with the quota, find the function that uses most of it, and request a higher quota in Service Quotas: Lambda, ' +
      'Concurrent executions.',
  };
}

export function tableThrottles(table: StageTable): AlarmCondition[] {
  const index = { TableName: table.tableName, GlobalSecondaryIndexName: tableDefinition.byTime.name };
  const places = { table: { TableName: table.tableName }, index };
  return Object.entries(places).flatMap(([place, dimensionsMap]) =>
    ['Read', 'Write'].map((kind) => ({
      id: `${place}-${kind.toLowerCase()}-throttles`,
      metric: table.metric(`${kind}ThrottleEvents`, { ...fiveMinutes, statistic: Stats.SUM, dimensionsMap }),
      threshold: 1,
      periods: 2,
      runbook:
        `DynamoDB has throttled ${kind.toLowerCase()}s of the ${place} for ten minutes. Functions retry; after 10 s, ` +
        'callers get a 429. If an organization runs many free spins, expect this until they are done. Otherwise look ' +
        'for one key that takes most of the load (at most 1,000 writes or 3,000 reads per second), and compare the ' +
        "table's consumption with the account's quotas for DynamoDB.",
    })),
  );
}

type DeadLetters = { id: string; queue: Queue; content: string; recovery: string };

function deadLettersOf({ id, queue, content, recovery }: DeadLetters): AlarmCondition {
  return {
    id: `${id}-dead-letters`,
    metric: queue.metricApproximateNumberOfMessagesVisible({ ...oneMinute, statistic: Stats.MAXIMUM }),
    threshold: 1,
    runbook:
      `${content} The dead-letter queue keeps them for 14 days. Find the cause in the function's log and fix it. ` +
      recovery,
  };
}

/** Returns a queue's alarm conditions: a message older than 30 minutes, and dead letters. */
export function queueConditions(
  name: string,
  { queue, deadLetters, impact, recovery }: QueuePair,
): AlarmCondition[] {
  return [
    deadLettersOf({
      id: name,
      queue: deadLetters,
      content: `Messages of the queue ${name} have exhausted their retries. ${impact}`,
      recovery,
    }),
    {
      id: `${name}-waiting`,
      metric: queue.metricApproximateAgeOfOldestMessage({ ...fiveMinutes, statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(30).toSeconds(),
      runbook:
        `A message has waited on the queue ${name} for 30 minutes, longer than any intended delay. ${impact} ` +
        "The queue's worker is slow, failing or throttled: look at its errors, duration and concurrency.",
    },
  ];
}

export function workerConditions(
  deployed: DeployedWorker,
  schedules: Record<string, DeclaredSchedule>,
  stage: DeployedStage,
): AlarmCondition[] {
  const { worker, deadLetters } = deployed;
  const id = worker.name.split('/').at(-1)!;
  const content = `Invocations of ${worker.name} have exhausted their retries. ${worker.impact}`;
  const recovery =
    'recovery' in worker.source ? worker.source.recovery : 'The next invocation does the due work.';
  return [
    ...failing(id, deployed),
    ...(deadLetters ? [deadLettersOf({ id, queue: deadLetters, content, recovery })] : []),
    ...streamBacklog(id, deployed),
    ...notInvoked(id, deployed, schedules),
    ...(worker.alarms ?? []).map((alarm) => emittedMetric(id, alarm, stage)),
  ];
}

/**
 * Returns the alarm condition for a worker that fails for ten minutes. A scheduled worker has none: its alarm on dead
 * letters goes off after three failed attempts, within an hour.
 */
function failing(id: string, { worker, function: target }: DeployedWorker): AlarmCondition[] {
  if ('schedules' in worker.source) return [];
  return [
    {
      id: `${id}-errors`,
      metric: target.metricErrors({ ...fiveMinutes, statistic: Stats.SUM }),
      threshold: 1,
      periods: 2,
      runbook:
        `${worker.name} has failed for ten minutes. ${worker.impact} ` +
        'Find the cause in its log. Failed invocations are retried.',
    },
  ];
}

function streamBacklog(id: string, { worker, function: target }: DeployedWorker): AlarmCondition[] {
  if (!('stream' in worker.source)) return [];
  return [
    {
      id: `${id}-behind`,
      metric: target.metric('IteratorAge', { ...oneMinute, statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(1).toMilliseconds(),
      periods: 5,
      runbook:
        `${worker.name} is more than a minute behind the table's stream, which keeps records for only 24 hours. ` +
        `${worker.impact} Look in its log for a batch that fails repeatedly, or raise parallelPerShard in ` +
        'infra/deploy/workers.ts.',
    },
  ];
}

function notInvoked(
  id: string,
  { worker, function: target }: DeployedWorker,
  schedules: Record<string, DeclaredSchedule>,
): AlarmCondition[] {
  if (!('schedules' in worker.source)) return [];
  const rates = worker.source.schedules
    .map((name) => /^rate\((\d+) (minute|hour)s?\)$/.exec(schedules[name]!.expression))
    .flatMap((rate) => (rate ? [Number(rate[1]) * (rate[2] === 'hour' ? 60 : 1)] : []));
  if (rates.length === 0) return [];
  const period = Duration.minutes(4 * Math.min(...rates));
  return [
    {
      id: `${id}-silent`,
      metric: target.metricInvocations({ period, statistic: Stats.SUM }),
      threshold: 1,
      below: true,
      runbook:
        `${worker.name} was not invoked for ${period.toMinutes()} minutes. ${worker.impact} Check that its schedules ` +
        'are enabled and allowed to invoke it. Nothing is lost: the next invocation does the due work. On a new ' +
        'stage, this alarm goes off once.',
    },
  ];
}

function emittedMetric(
  id: string,
  { metric, threshold, minutes, runbook }: MetricAlarm,
  stage: DeployedStage,
): AlarmCondition {
  return {
    id: `${id}-${metric}`,
    metric: serviceMetric(metric, Duration.minutes(minutes), stage),
    threshold,
    runbook,
  };
}

export const serviceMetric = (metricName: MetricName, period: Duration, stage: DeployedStage): Metric =>
  new Metric({
    namespace: stackNameOf(stage),
    metricName,
    dimensionsMap: { service: 'incentives' },
    statistic: Stats.SUM,
    period,
  });
