import { describe, expect, test } from 'vitest';
import { routesOf } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { templateOf } from './support.ts';

const stage = 'production';
const { of, all } = templateOf({ stage });
const alarms = of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const routes = routesOf(stage, allRoutes);

describe('an alarm on slow requests', () => {
  const slow = alarms.filter(({ ExtendedStatistic }) => ExtendedStatistic === 'p99');

  test('exists for each endpoint and for the authorizer, on a standard Lambda metric', () => {
    const functions = of('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName);
    const watched = slow.map(({ Dimensions }) => Dimensions[0].Value);
    expect(functions).toEqual(expect.arrayContaining(watched));
    expect(new Set(watched).size).toBe(routes.length + 1);
    for (const alarm of slow) {
      expect(alarm).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Duration', Threshold: 3000 });
      expect(alarm).toMatchObject({ EvaluationPeriods: 3, TreatMissingData: 'notBreaching' });
    }
  });

  test('names its endpoint and where to look', () => {
    for (const { name, method, path } of routes) {
      const alarm = slow.find(({ AlarmName }) => AlarmName.endsWith(`-${name.replaceAll('/', '-')}-slow`));
      expect(alarm!.AlarmDescription).toContain(`${method} ${path} `);
      expect(alarm!.AlarmDescription).toContain(`The log of ${name} `);
    }
  });
});

describe('failed requests', () => {
  const [filter, ...others] = of('AWS::Logs::MetricFilter').map(({ Properties }) => Properties);

  test('are counted per endpoint from the access log, which creates no metric without failures', () => {
    expect(others).toEqual([]);
    const [log] = all('AWS::ApiGateway::Stage').map(([, one]) => one.Properties.AccessLogSetting);
    expect(JSON.stringify(log.DestinationArn)).toContain(`"${filter.LogGroupName.Ref}"`);
    const line = JSON.parse(log.Format);
    const [transformation] = filter.MetricTransformations;
    expect(transformation).not.toHaveProperty('DefaultValue');
    for (const { Value } of transformation.Dimensions) expect(line).toHaveProperty(Value.slice(2));
    expect(filter.FilterPattern).toBe('{ $.status = "5*" }');
    expect(line.status).toBe('$context.status');
  });
});
