import { describe, expect, test } from 'vitest';
import { queues, schedules, streamFilter, workers } from '../../../infra/deploy/workers.ts';
import { parseTimetable } from '../../../infra/develop/local/aws/schedule-expression.ts';
import { startOfDay } from '../../../shared/time.ts';
import { sampleBackground, sampleRoutes, templateOf } from './support.ts';

const background = sampleBackground;
const { template, resources, of, all, only } = templateOf({ stage: 'production', background });

const functionNamed = (name: string) =>
  all('AWS::Lambda::Function').find(([, { Properties }]) => Properties.FunctionName.endsWith(`-${name}`))!;
const sourceOf = (name: string) =>
  of('AWS::Lambda::EventSourceMapping').find(
    ({ Properties }) => Properties.FunctionName.Ref === functionNamed(name)[0],
  )!.Properties;
const queueAt = (arn: { 'Fn::GetAtt': [string, string] }) => resources[arn['Fn::GetAtt'][0]]!.Properties;

describe('every queue', () => {
  test('refuses plain HTTP', () => {
    const guarded = of('AWS::SQS::QueuePolicy').flatMap(({ Properties }) => Properties.Queues);
    for (const [id] of all('AWS::SQS::Queue')) expect(guarded).toContainEqual({ Ref: id });
    for (const { Properties } of of('AWS::SQS::QueuePolicy')) {
      expect(Properties.PolicyDocument.Statement).toMatchObject([
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ]);
    }
  });
});

test.each(['2026-03-08', '2026-03-09', '2026-06-15', '2026-11-01', '2026-11-02'])(
  'the spin run starts at midnight in New York: %s',
  (day) => {
    const { expression, timezone } = schedules['spin-run']!;
    const noonBefore = startOfDay(day) - 12 * 3600_000;
    expect(parseTimetable(expression, timezone, 0).next(noonBefore)).toBe(startOfDay(day));
  },
);

describe('a worker', () => {
  test('of a queue has the concurrency of its stage', () => {
    const settings = { queueConcurrency: { deliveries: 125 } };
    const stage = templateOf({ stage: 'staging', background, routes: sampleRoutes, settings });
    expect(stage.of('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({ BatchSize: 10, ScalingConfig: { MaximumConcurrency: 125 } }),
    );
  });

  test('that sends to its own queue is exempt from Lambda’s loop detection', () => {
    expect(functionNamed('workers-sample-queue')[1].Properties.RecursiveLoop).toBe('Allow');
    expect(functionNamed('workers-sample-stream')[1].Properties).not.toHaveProperty('RecursiveLoop');
  });

  test('that resolves many names has enough threads that a few stuck lookups delay no others', () => {
    const sender = workers.find(({ name }) => name === 'workers/send-webhook')!;
    const { batchSize } = sender.source as { batchSize: number };
    // libuv gives DNS lookups at most half of the threads, which must suffice for three batches of hanging
    // lookups.
    expect(sender.threads! / 2).toBeGreaterThanOrEqual(3 * batchSize);
    const variables = (name: string) => functionNamed(name)[1].Properties.Environment.Variables;
    expect(variables('workers-sample-queue').UV_THREADPOOL_SIZE).toBe('16');
    expect(variables('workers-sample-stream')).not.toHaveProperty('UV_THREADPOOL_SIZE');
  });

  test('of the stream reads only what it works on, and dead-letters failed batches', () => {
    const source = sourceOf('workers-sample-stream');
    expect(queueAt(source.DestinationConfig.OnFailure.Destination).MessageRetentionPeriod).toBe(
      14 * 24 * 3600,
    );
    const [{ Pattern }] = source.FilterCriteria.Filters;
    expect(JSON.parse(Pattern)).toEqual(streamFilter);
  });

  test('of schedules is called by each of them, and failed calls are dead-lettered', () => {
    const [id] = functionNamed('workers-sample-schedule');
    const schedules = of('AWS::Scheduler::Schedule').map(({ Properties }) => Properties);
    expect(schedules).toHaveLength(2);
    const [lost] = of('AWS::Lambda::EventInvokeConfig');
    const deadLetters = lost!.Properties.DestinationConfig.OnFailure.Destination;
    for (const { Target } of schedules) {
      expect(Target.Arn).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
      expect(Target.DeadLetterConfig.Arn).toEqual(deadLetters);
    }
    expect(queueAt(deadLetters).MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });

  test('with one-time schedules has a schedule group, which the stack outputs for the commands', () => {
    const { id, Properties } = only('AWS::Scheduler::ScheduleGroup');
    expect(Properties.Name).toBe('incentives-production-moments');
    const { Target } = of('AWS::Scheduler::Schedule')[0]!.Properties;
    expect(template.toJSON().Outputs).toMatchObject({
      ScheduleGroup: { Value: { Ref: id } },
      ScheduleTargetArn: { Value: Target.Arn },
      ScheduleRoleArn: { Value: Target.RoleArn },
      ScheduleDeadLetterArn: { Value: Target.DeadLetterConfig.Arn },
    });
  });

  test('of schedules is called by a role that may do nothing else', () => {
    const { Target } = of('AWS::Scheduler::Schedule')[0]!.Properties;
    const role = resources[Target.RoleArn['Fn::GetAtt'][0]]!.Properties;
    expect(role.Policies).toHaveLength(1);
    expect(role.Policies[0].PolicyDocument.Statement).toMatchObject([
      { Action: 'lambda:InvokeFunction', Resource: Target.Arn },
      { Action: 'sqs:SendMessage', Resource: Target.DeadLetterConfig.Arn },
    ]);
    expect(role.AssumeRolePolicyDocument.Statement).toMatchObject([
      {
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  test('finds its queues and the key in its environment', () => {
    const { Variables } = functionNamed('workers-sample-queue')[1].Properties.Environment;
    expect(Object.keys(Variables)).toEqual(
      expect.arrayContaining([
        'TABLE_NAME',
        'QUEUE_URL_DELIVERIES',
        'DEAD_LETTER_URL_SPIN_SHARDS',
        'KEY_ARN',
      ]),
    );
    expect(Variables).not.toHaveProperty('QUEUE_URL_SPIN_SHARDS');
  });

  test('that uses an undeclared queue or schedule is refused', () => {
    const alone = (worker: (typeof background.workers)[number]) => () =>
      templateOf({
        stage: 'staging',
        routes: sampleRoutes,
        background: { queues: {}, schedules: {}, workers: [worker] },
      });
    const [stream, , schedule] = background.workers;
    expect(alone(stream!)).toThrow('"deliveries"');
    expect(alone({ ...schedule!, access: {} })).toThrow('"spin-run"');
  });
});

describe('the alarms', () => {
  const alarms = of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  const watched = (metric: string) => alarms.filter(({ MetricName }) => MetricName === metric);

  test('watch every dead-letter queue from its first message', () => {
    const deadLetters = all('AWS::SQS::Queue')
      .filter(([, { Properties }]) => !Properties.RedrivePolicy)
      .map(([id]) => id);
    const alarmed = watched('ApproximateNumberOfMessagesVisible');
    expect(alarmed.map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0]).sort()).toEqual(
      deadLetters.sort(),
    );
    expect(alarmed.map(({ Threshold }) => Threshold)).toEqual(deadLetters.map(() => 1));
  });

  test('watch waiting messages, the stream backlog, failing and uninvoked workers, and the API', () => {
    const waiting = watched('ApproximateAgeOfOldestMessage');
    // SQS delays a message by at most 15 minutes. The alarms go off when a message is twice as old, in seconds.
    expect(waiting.map(({ Threshold }) => Threshold)).toEqual([1800, 1800, 1800]);
    expect(watched('IteratorAge')).toHaveLength(1);
    // Dead letters tell of a scheduled worker that fails.
    expect(watched('Errors')).toHaveLength(2);
    expect(watched('5XXError')).toHaveLength(2);
    expect(watched('Invocations')).toMatchObject([
      { Period: 3600, Threshold: 1, ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' },
    ]);
    expect(watched('WebhooksSwitchedOff')).toMatchObject([
      { Namespace: 'incentives-production', Threshold: 100, Period: 900 },
    ]);
  });

  test('of queues and workers describe the impact on hosts and users', () => {
    const texts = (id: string) =>
      alarms
        .filter(({ AlarmName }) => AlarmName.startsWith(`incentives-production-${id}-`))
        .filter(({ Namespace }) => Namespace !== 'incentives-production')
        .map(({ AlarmDescription }) => AlarmDescription as string);
    const named = [...Object.entries(background.queues), ...background.workers.map((one) => [one.name, one])];
    for (const [name, { impact }] of named as [string, { impact: string }][]) {
      const found = texts(name.split('/').at(-1)!);
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((text) => !text.includes(impact))).toEqual([]);
    }
  });

  test('of dead letters describe the recovery, which is a move only for queues', () => {
    const text = (id: string) =>
      alarms.find(({ AlarmName }) => AlarmName === `incentives-production-${id}-dead-letters`)!
        .AlarmDescription;
    expect(text('deliveries')).toContain('move');
    expect(text('sample-stream')).toMatch(/Read the records again\.$/);
    expect(text('sample-schedule')).not.toContain('move');
  });

  test('describe what to do, and are mailed to the configured address', () => {
    const topic = all('AWS::SNS::Topic')[0]![0];
    for (const { AlarmDescription, AlarmActions } of alarms) {
      expect(AlarmDescription.length).toBeGreaterThan(20);
      expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
      expect(AlarmActions).toEqual([{ Ref: topic }]);
    }
    expect(of('AWS::SNS::Subscription')[0]!.Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    const { Statement } = of('AWS::SNS::TopicPolicy')[0]!.Properties.PolicyDocument;
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
    const unheard = templateOf({
      stage: 'staging',
      routes: sampleRoutes,
      background,
      settings: { alarmEmail: undefined },
    });
    expect(unheard.of('AWS::SNS::Topic')).toEqual([]);
  });
});

describe("the project's own workers", () => {
  test('finish a batch well within its visibility timeout, and stay within Lambda’s limits', () => {
    for (const { source, timeoutSeconds } of workers) {
      expect(timeoutSeconds).toBeLessThanOrEqual(900);
      if (!('queue' in source)) continue;
      // The visibility timeout starts when Lambda receives a message. The message may then wait until the function
      // starts. Twice the function's timeout covers this wait.
      expect(queues[source.queue]!.visibilityTimeoutSeconds).toBeGreaterThanOrEqual(2 * timeoutSeconds);
      expect(source.maxConcurrency).toBeGreaterThanOrEqual(2);
      if (source.batchSize > 10) expect(source.batchWindowSeconds).toBeGreaterThanOrEqual(1);
    }
  });
});
