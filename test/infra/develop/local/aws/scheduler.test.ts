import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  SchedulerClient,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../../infra/develop/local/aws/endpoint.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:start-spin-run';
const RoleArn = 'arn:aws:iam::000000000000:role/scheduler';
const Target = { Arn: functionArn, RoleArn, Input: '{"attempt":2}' };
let clock: ManualClock;
let endpoint: AwsEndpoint;
let client: SchedulerClient;
let invoke: ReturnType<typeof vi.fn<(name: string, input: unknown) => Promise<void>>>;

beforeEach(async () => {
  clock = createManualClock('2026-01-05T12:00:00Z');
  invoke = vi.fn(async () => {});
  endpoint = await startAwsEndpoint({
    queues: [{ name: 'parked' }],
    schedules: [
      {
        name: 'spin-run',
        ScheduleExpression: 'cron(0 0 * * ? *)',
        ScheduleExpressionTimezone: 'America/New_York',
        Target: { Arn: functionArn, Input: '{"now":"<aws.scheduler.scheduled-time>"}' },
      },
    ],
    clock,
    invoke,
  });
  client = new SchedulerClient({
    region: 'us-east-1',
    endpoint: endpoint.url,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});
afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

const create = (Name: string, more: Partial<CreateScheduleCommandInput> = {}) =>
  client.send(
    new CreateScheduleCommand({
      Name,
      ScheduleExpression: 'at(2026-01-05T12:30:00)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target,
      ...more,
    }),
  );
const names = () => endpoint.scheduler.list().map(({ name }) => name);
const inputs = () => invoke.mock.calls.map(([, input]) => input);

test('a client finds the endpoint in the environment', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_SCHEDULER', endpoint.url);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const fromEnvironment = new SchedulerClient({ region: 'us-east-1', credentials });
  const ScheduleExpression = 'rate(1 day)';
  const FlexibleTimeWindow = { Mode: 'OFF' } as const;
  await fromEnvironment.send(
    new CreateScheduleCommand({ Name: 'daily', ScheduleExpression, FlexibleTimeWindow, Target }),
  );
  expect(names()).toContain('daily');
  fromEnvironment.destroy();
  vi.unstubAllEnvs();
});

test('a one-time schedule calls its function with its input once, at its time', async () => {
  await create('once');
  await clock.advance(30 * 60_000 - 1);
  expect(inputs()).toEqual([]);
  await clock.advance(1);
  expect(inputs()).toEqual([{ attempt: 2 }]);
  await clock.advance(60 * 60_000);
  expect(inputs()).toHaveLength(1);
  expect(names()).toContain('once');
});

test('a schedule that is to be deleted after its completion is gone then', async () => {
  await create('once', { ActionAfterCompletion: 'DELETE' });
  await clock.advance(30 * 60_000);
  expect(inputs()).toHaveLength(1);
  await eventually(() => expect(names()).toEqual(['spin-run']));
});

test('a one-time schedule in the past runs at once', async () => {
  await create('late', { ScheduleExpression: 'at(2026-01-05T11:00:00)' });
  await eventually(() => expect(inputs()).toHaveLength(1));
});

test('a one-time schedule is a local time in its zone', async () => {
  await create('local', {
    ScheduleExpression: 'at(2026-01-05T08:00:00)',
    ScheduleExpressionTimezone: 'America/New_York',
  });
  await clock.advance(3_599_999);
  expect(inputs()).toEqual([]);
  await clock.advance(1);
  expect(inputs()).toHaveLength(1);
});

test('a declared schedule calls its function at midnight in New York with that time', async () => {
  await clock.advance(2 * 86_400_000);
  expect(invoke.mock.calls).toEqual([
    ['start-spin-run', { now: '2026-01-06T05:00:00Z' }],
    ['start-spin-run', { now: '2026-01-07T05:00:00Z' }],
  ]);
});

test('a rate runs at once and then every interval', async () => {
  const perDay = { ...Target, Input: '"<aws.scheduler.scheduled-time>"' };
  await create('sweep', { ScheduleExpression: 'rate(12 hours)', Target: perDay });
  await clock.advance(86_400_000);
  const calls = ['2026-01-05T12:00:00Z', '2026-01-06T00:00:00Z', '2026-01-06T12:00:00Z'];
  expect(inputs().filter((input) => typeof input === 'string')).toEqual(calls);
});

test('a name in use is a conflict, unless the same client token sent it', async () => {
  const first = await create('once', { ClientToken: 'one' });
  await expect(create('once', { ClientToken: 'two' })).rejects.toThrow(ConflictException);
  expect(await create('once', { ClientToken: 'one' })).toMatchObject({ ScheduleArn: first.ScheduleArn });
});

test('an invalid schedule is refused', async () => {
  await expect(create('bad', { ScheduleExpression: 'soon' })).rejects.toThrow(ValidationException);
  await expect(create('bad name')).rejects.toThrow(ValidationException);
});

test('a schedule can be run now as of any time, without a change to its next run', async () => {
  await endpoint.scheduler.fire('spin-run', Date.parse('2026-07-01T04:00:00Z'));
  expect(invoke.mock.calls).toEqual([['start-spin-run', { now: '2026-07-01T04:00:00Z' }]]);
  await clock.advance(86_400_000);
  expect(invoke.mock.lastCall).toEqual(['start-spin-run', { now: '2026-01-06T05:00:00Z' }]);
  await expect(endpoint.scheduler.fire('none')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('a failed function is retried twice, and then its event goes to the dead-letter queue', async () => {
  invoke.mockRejectedValue(new Error('down'));
  await create('failing', {
    Target: {
      Arn: functionArn,
      RoleArn,
      Input: '"event"',
      DeadLetterConfig: { Arn: endpoint.queues.get('parked').arn },
    },
  });
  await clock.advance(31 * 60_000);
  expect(invoke).toHaveBeenCalledTimes(3);
  expect(endpoint.queues.get('parked').messages()).toMatchObject([{ body: '"event"' }]);
});
