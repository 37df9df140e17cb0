import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routesInStage } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { cashFields, payoutsMessage } from '../../../shared/payouts/figures.ts';
import { cashTotalsOf, logFieldsOf, newTally } from '../../../shared/payouts/tally.ts';
import { games, playTypes, prizeKinds } from '../../../shared/vocabulary.ts';
import { templateOf } from './support.ts';

const root = join(import.meta.dirname, '../../..');
const { only, of, all, resources } = templateOf({ stage: 'production' });
const { DashboardName, DashboardBody } = only('AWS::CloudWatch::Dashboard').Properties;

/** The dashboard's JSON body. References to resources are replaced by logical ids. */
const body = (DashboardBody['Fn::Join'][1] as (string | Record<string, string | string[]>)[])
  .map((part) => (typeof part === 'string' ? part : [Object.values(part)[0]].flat()[0]))
  .join('');
type Properties = { title: string; query: string; alarms: string[]; metrics: Metric[] };
type Metric = (string | Record<string, string>)[];
const { widgets } = JSON.parse(body) as { widgets: { type: string; properties: Properties }[] };
const ofType = (type: string) => widgets.filter((widget) => widget.type === type);
const titles = widgets.map(({ properties }) => properties.title);

test('each stage has its own dashboard', () => {
  expect(DashboardName).toBe('incentives-production');
  expect(titles).toEqual([
    'Alarms',
    'Plays by game',
    'Plays: regular and amoe',
    'Cash won and expected, USD',
    'Wins by kind',
    'By organization: plays, cash won and expected, and daily cash limit, USD',
    'Free spins: queue requests, due shards, overdue shards',
    'Deliveries to webhooks: settled, waiting, parked',
    'Stream backlog of workers, ms',
    'Requests by endpoint',
    'Failed requests (5XX) by endpoint',
    'Latency by endpoint, p50',
    'Latency by endpoint, p99',
    'API requests: all, refused (4XX), failed (5XX)',
    'API latency',
    'Functions of the account: throttles and concurrent executions',
    'Consumed capacity units of the table and its index',
    'Throttled reads and writes',
  ]);
});

test('it shows the state of every alarm', () => {
  const [shown] = ofType('alarm').map(({ properties }) => properties.alarms);
  expect(shown).toEqual(all('AWS::CloudWatch::Alarm').map(([id]) => id));
  // CloudWatch allows at most 100 alarms in one widget.
  expect(shown!.length).toBeLessThanOrEqual(100);
});

describe('the part on plays', () => {
  const queries = ofType('log').map(({ properties }) => properties.query);

  test('queries the log of check-payouts', () => {
    for (const query of queries) {
      const [, log] = /^SOURCE '(\w+)' \| filter message = "(\w+)"/.exec(query)!;
      const worker = of('AWS::Lambda::Function').find(
        ({ Properties }) => Properties.LoggingConfig.LogGroup.Ref === log,
      )!;
      expect(worker.Properties.FunctionName).toBe('incentives-production-workers-check-payouts');
      expect(query).toContain(`message = "${payoutsMessage}"`);
    }
  });

  test('names what was won and what was expected', () => {
    const { won, expected } = cashFields;
    const byHour = queries.filter((query) => query.includes(' as expected'));
    expect(byHour).toHaveLength(1);
    expect(byHour[0]).toContain(`sum(${won}) as won, sum(${expected}) as expected`);
    expect(queries.join()).toContain(`sum(${won}) as cash_won, sum(${expected}) as cash_expected`);
  });

  test('uses logged fields, and omits no game, play type or prize kind', () => {
    const logged = [...Object.keys(logFieldsOf(newTally(), cashTotalsOf(newTally()))), cashFields.limit];
    const asked = queries.flatMap((query) =>
      [...query.matchAll(/(?:sum|latest)\(([^)]+)\)/g)].flatMap(([, fields]) => fields!.split(' + ')),
    );
    expect([...new Set(asked)].sort()).toEqual(logged.sort());
    expect(logged).toHaveLength(games.length * playTypes.length + prizeKinds.length + 3);
  });
});

const metrics = ofType('metric').flatMap(({ properties }) => properties.metrics);

describe('the other widgets', () => {
  const dimensionOf = (metric: Metric, name: string) => metric[metric.indexOf(name) + 1];

  test('use metrics of this stage’s resources', () => {
    const functions = of('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName);
    for (const metric of metrics) {
      if (metric.includes('FunctionName')) {
        const named = dimensionOf(metric, 'FunctionName') as string;
        expect([...functions, ...all('AWS::Lambda::Function').map(([id]) => id)]).toContain(named);
      }
      if (metric.includes('TableName')) {
        expect(resources[dimensionOf(metric, 'TableName') as string]!.Type).toBe('AWS::DynamoDB::Table');
      }
    }
    expect(metrics.length).toBeGreaterThan(100);
  });

  test('show the failures of each endpoint', () => {
    const failures = metrics.filter((metric) => metric.includes('FailedRequests'));
    const named = failures.map((metric) => [dimensionOf(metric, 'method'), dimensionOf(metric, 'path')]);
    expect(named).toEqual(routesInStage('production', allRoutes).map(({ method, path }) => [method, path]));
  });

  test('use no paid metric that no alarm uses', () => {
    const own = metrics.filter(([namespace]) => namespace === 'incentives-production');
    const alarmed = of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties.MetricName);
    const [filter] = of('AWS::Logs::MetricFilter').map(({ Properties }) => Properties);
    const known = [...alarmed, filter.MetricTransformations[0].MetricName];
    expect(known).toEqual(expect.arrayContaining(own.map(([, name]) => name)));
    expect(own.length).toBeGreaterThan(0);
  });
});

describe('the stage’s own metrics', () => {
  /** Identifies a metric by its namespace, name and dimensions, without the dimensions' values. */
  const named = (namespace: string, name: string, dimensions: string[]) =>
    [namespace, name, ...dimensions.toSorted()].join(' ');

  /** Returns the metrics that functions and metric filters write. */
  function written(): string[] {
    const files = globSync('{shared,functions}/**/*.ts', { cwd: root });
    const sources = files.map((file) => readFileSync(join(root, file), 'utf8'));
    const names = sources.flatMap((text) =>
      [...text.matchAll(/\bcountMetric\('(\w+)'/g)].map(([, name]) => name!),
    );
    const variables = of('AWS::Lambda::Function').map(({ Properties }) => Properties.Environment.Variables);
    const namespaces = new Set(variables.flatMap(({ METRICS_NAMESPACE = [] }) => METRICS_NAMESPACE));
    const filters = of('AWS::Logs::MetricFilter').flatMap(
      ({ Properties }) => Properties.MetricTransformations,
    );
    return [
      ...[...namespaces].flatMap((namespace) => names.map((name) => named(namespace, name, ['service']))),
      ...filters.map(({ MetricNamespace, MetricName, Dimensions }) =>
        named(
          MetricNamespace,
          MetricName,
          Dimensions.map(({ Key }: { Key: string }) => Key),
        ),
      ),
    ];
  }

  /** Returns the metrics that alarms watch, also by metrics queries. */
  const watched = () =>
    of('AWS::CloudWatch::Alarm').map(({ Properties }) => {
      const { Namespace, MetricName, Dimensions = [], Metrics = [] } = Properties;
      const query = /^SELECT \w+\((\w+)\) FROM SCHEMA\("(.+?)", (.+?)\)/.exec(Metrics[0]?.Expression);
      if (query) return named(query[2]!, query[1]!, query[3]!.split(', '));
      return named(
        Namespace,
        MetricName,
        Dimensions.map(({ Name }: { Name: string }) => Name),
      );
    });

  const shown = () =>
    metrics.map((metric) => {
      const [namespace = '', name = '', ...dimensions] = metric.filter((part) => typeof part === 'string');
      return named(
        namespace,
        name,
        dimensions.filter((_, index) => index % 2 === 0),
      );
    });

  test('are those that alarms watch and widgets show', () => {
    const used = [...watched(), ...shown()].filter((metric) => !metric.startsWith('AWS/'));
    expect(new Set(used)).toEqual(new Set(written()));
  });
});
