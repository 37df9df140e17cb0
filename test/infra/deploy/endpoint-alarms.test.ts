import { describe, expect, test } from 'vitest';
import { templateOf } from './support.ts';

const { of, all } = templateOf({ stage: 'production' });

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
