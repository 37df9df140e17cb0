import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { QueueName } from '../../../shared/environment.ts';
import type { MetricName } from '../../../shared/metrics.ts';
import { cashFields, payoutsMessage, playsField, winsField } from '../../../shared/payouts/figures.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import { games, playTypes, prizeKinds } from '../../../shared/vocabulary.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import { serviceMetric } from './alarm-conditions.ts';
import type { Monitored } from './alarms.ts';
import { durationMetric, failureMetric } from './endpoint-conditions.ts';
import { functionNameOf } from './lambda-function.ts';

const fiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };
const [third, half, whole] = [8, 12, 24];
const height = 6;

/** Reads play figures from logs of `check-payouts`, because custom metrics cost more. */
export function createDashboard(scope: Construct, monitored: Monitored, alarms: Alarm[]): void {
  const widgets = [
    [new AlarmStatusWidget({ title: 'Alarms', alarms, width: whole, height })],
    ...plays(monitored),
    background(monitored),
    ...endpoints(monitored),
    table(monitored),
  ];
  new Dashboard(scope, 'Dashboard', {
    dashboardName: stackNameOf(monitored.stage),
    defaultInterval: Duration.days(1),
    widgets,
  });
}

const graph = (title: string, metrics: IMetric[], { width = third } = {}): IWidget =>
  new GraphWidget({ title, left: metrics, leftYAxis: { min: 0 }, width, height });

function plays({ workers }: Monitored): IWidget[][] {
  const checking = workers.find(({ worker }) => worker.name === 'workers/check-payouts');
  if (!checking) return [];
  const { logGroupName } = checking.function.logGroup;
  const query = (title: string, stats: string, view = LogQueryVisualizationType.LINE) =>
    new LogQueryWidget({
      title,
      logGroupNames: [logGroupName],
      queryLines: [`filter message = "${payoutsMessage}"`, stats],
      view,
      width: view === LogQueryVisualizationType.TABLE ? whole : half,
      height,
    });
  const byHour = (sums: Record<string, string[]>) => `stats ${sumsOf(sums)} by bin(1h)`;
  const allPlays = games.flatMap((game) => playTypes.map((type) => playsField(game, type)));
  const { won, expected, limit } = cashFields;
  return [
    [
      query(
        'Plays by game',
        byHour(eachOf(games, (game) => playTypes.map((type) => playsField(game, type)))),
      ),
      query(
        'Plays: regular and amoe',
        byHour(eachOf(playTypes, (type) => games.map((game) => playsField(game, type)))),
      ),
    ],
    [
      query('Cash won and expected, USD', byHour({ won: [won], expected: [expected] })),
      query('Wins by kind', byHour(eachOf(prizeKinds, (kind) => [winsField(kind)]))),
    ],
    [
      query(
        'By organization: plays, cash won and expected, and daily cash limit, USD',
        `stats ${sumsOf({ plays: allPlays, cash_won: [won], cash_expected: [expected] })}, ` +
          `latest(${limit}) as limit_of_a_day by organization_id | sort cash_won desc`,
        LogQueryVisualizationType.TABLE,
      ),
    ],
  ];
}

const eachOf = <Name extends string>(names: readonly Name[], fields: (name: Name) => string[]) =>
  Object.fromEntries(names.map((name) => [name, fields(name)]));
const sumsOf = (sums: Record<string, string[]>) =>
  Object.entries(sums)
    .map(([name, fields]) => `sum(${fields.join(' + ')}) as ${name}`)
    .join(', ');

function background({ stage, queues, workers }: Monitored): IWidget[] {
  const metric = (name: MetricName) => serviceMetric(name, Duration.minutes(5), stage);
  const waiting = (name: QueueName, label: string) =>
    queues[name]?.queue.metricApproximateNumberOfMessagesVisible({
      ...fiveMinutes,
      statistic: Stats.MAXIMUM,
      label,
    });
  const deliveries = queues.deliveries;
  const streaming = workers.filter(({ worker }) => 'stream' in worker.source);
  return [
    graph(
      'Free spins: queue requests, due shards, overdue shards',
      present([
        countOf('amoe/queue', stage, 'Invocations', 'queue requests'),
        waiting('spin-shards', 'due shards'),
        metric('OverdueSpinShards'),
      ]),
    ),
    graph(
      'Deliveries to webhooks: settled, waiting, parked',
      present([
        deliveries?.queue.metricNumberOfMessagesDeleted({ ...fiveMinutes, label: 'settled' }),
        waiting('deliveries', 'waiting'),
        deliveries?.deadLetters.metricApproximateNumberOfMessagesVisible({
          ...fiveMinutes,
          statistic: Stats.MAXIMUM,
          label: 'parked',
        }),
        metric('WebhooksSwitchedOff'),
      ]),
    ),
    graph(
      'Stream backlog of workers, ms',
      streaming.map(({ worker, function: target }) =>
        target.metric('IteratorAge', { ...fiveMinutes, statistic: Stats.MAXIMUM, label: worker.name }),
      ),
    ),
  ];
}

const present = (metrics: (IMetric | undefined)[]) => metrics.filter((metric) => metric !== undefined);

const countOf = (name: string, stage: DeployedStage, metricName: string, label = name): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionNameOf(name, stage) },
    ...fiveMinutes,
    label,
  });

function endpoints({ stage, api: apis, endpoints }: Monitored): IWidget[][] {
  const durations = (statistic: string) =>
    [...endpoints.map(({ name }) => name), 'authorizer'].map((name) =>
      durationMetric(name, stage, statistic).with({ label: name }),
    );
  const both = [['API', apis.api] as const, ['play pages', apis.playApi] as const];
  return [
    [
      graph(
        'Requests by endpoint',
        endpoints.map(({ name }) => countOf(name, stage, 'Invocations')),
        { width: half },
      ),
      graph(
        'Failed requests (5XX) by endpoint',
        endpoints.map((endpoint) => failureMetric(endpoint, stage).with({ label: endpoint.name })),
        { width: half },
      ),
    ],
    [
      graph('Latency by endpoint, p50', durations(Stats.p(50)), { width: half }),
      graph('Latency by endpoint, p99', durations(Stats.p(99)), { width: half }),
    ],
    [
      graph(
        'API requests: all, refused (4XX), failed (5XX)',
        both.flatMap(([name, api]) => [
          api.metricCount({ ...fiveMinutes, label: `${name}: requests` }),
          api.metricClientError({ ...fiveMinutes, label: `${name}: refused` }),
          api.metricServerError({ ...fiveMinutes, label: `${name}: failed` }),
        ]),
      ),
      graph(
        'API latency',
        both.flatMap(([name, api]) => [
          api.metricLatency({ ...fiveMinutes, statistic: Stats.p(50), label: `${name}: p50` }),
          api.metricLatency({ ...fiveMinutes, statistic: Stats.p(99), label: `${name}: p99` }),
        ]),
      ),
      graph('Functions of the account: throttles and concurrent executions', [
        LambdaFunction.metricAllThrottles(fiveMinutes),
        LambdaFunction.metricAllConcurrentExecutions({ ...fiveMinutes, statistic: Stats.MAXIMUM }),
      ]),
    ],
  ];
}

function table({ table }: Monitored): IWidget[] {
  const places = {
    table: { TableName: table.tableName },
    index: { TableName: table.tableName, GlobalSecondaryIndexName: tableDefinition.byTime.name },
  };
  const metrics = (names: string[]) =>
    Object.entries(places).flatMap(([place, dimensionsMap]) =>
      names.map((name) => table.metric(name, { ...fiveMinutes, dimensionsMap, label: `${place}: ${name}` })),
    );
  return [
    graph(
      'Consumed capacity units of the table and its index',
      metrics(['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits']),
      { width: half },
    ),
    graph('Throttled reads and writes', metrics(['ReadThrottleEvents', 'WriteThrottleEvents']), {
      width: half,
    }),
  ];
}
