import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../infra/local/aws/endpoint.ts';
import { eventually } from '../eventually.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

const queueArn = 'arn:aws:sqs:us-east-1:000000000000:deliveries';
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:start-spin-run';
const RoleArn = 'arn:aws:iam::000000000000:role/scheduler';
const Target = { Arn: queueArn, RoleArn, Input: '{"attempt":2}' };
let clock: ManualClock;
let endpoint: AwsEndpoint;
let client: SchedulerClient;
let invoke: ReturnType<typeof vi.fn<(name: string, input: unknown) => Promise<void>>>;

beforeEach(async () => {
  clock = createManualClock('2026-01-05T12:00:00Z');
  invoke = vi.fn(async () => {});
  endpoint = await startAwsEndpoint({
    queues: [{ name: 'deliveries' }, { name: 'parked' }],
    schedules: [
      {
        name: 'spin-run',
        expression: 'cron(0 0 * * ? *)',
        timeZone: 'America/New_York',
        target: { Arn: functionArn, Input: '{"now":"<aws.scheduler.scheduled-time>"}' },
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
const get = (Name: string) => client.send(new GetScheduleCommand({ Name }));
const delivered = () =>
  endpoint.queues
    .get('deliveries')
    .messages()
    .map(({ body }) => body);

test('a client finds the endpoint by the environment', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_SCHEDULER', endpoint.url);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const fromEnvironment = new SchedulerClient({ region: 'us-east-1', credentials });
  const { Name } = await fromEnvironment.send(new GetScheduleCommand({ Name: 'spin-run' }));
  expect(Name).toBe('spin-run');
  fromEnvironment.destroy();
  vi.unstubAllEnvs();
});

test('a one-time schedule sends its input to its queue once, at its time', async () => {
  await create('retry');
  await clock.advance(30 * 60_000 - 1);
  expect(delivered()).toEqual([]);
  await clock.advance(1);
  expect(delivered()).toEqual(['{"attempt":2}']);
  await clock.advance(86_400_000);
  expect(delivered()).toHaveLength(1);
  expect((await get('retry')).Name).toBe('retry');
});

test('a schedule that is to be deleted after its completion is gone then', async () => {
  await create('retry', { ActionAfterCompletion: 'DELETE' });
  await clock.advance(30 * 60_000);
  expect(delivered()).toHaveLength(1);
  await eventually(() => expect(get('retry')).rejects.toThrow(ResourceNotFoundException));
});

test('a one-time schedule in the past runs at once', async () => {
  await create('late', { ScheduleExpression: 'at(2026-01-05T11:00:00)' });
  await eventually(() => expect(delivered()).toHaveLength(1));
});

test('a one-time schedule is a local time in its zone', async () => {
  await create('local', {
    ScheduleExpression: 'at(2026-01-05T08:00:00)',
    ScheduleExpressionTimezone: 'America/New_York',
  });
  await clock.advance(3_599_999);
  expect(delivered()).toEqual([]);
  await clock.advance(1);
  expect(delivered()).toHaveLength(1);
});

test('a declared schedule invokes its function at midnight in New York with that time', async () => {
  await clock.advance(2 * 86_400_000);
  expect(invoke.mock.calls).toEqual([
    ['start-spin-run', { now: '2026-01-06T05:00:00Z' }],
    ['start-spin-run', { now: '2026-01-07T05:00:00Z' }],
  ]);
});

test('a rate runs from its start date to its end date', async () => {
  await create('sweep', {
    ScheduleExpression: 'rate(15 minutes)',
    StartDate: new Date('2026-01-05T12:05:00Z'),
    EndDate: new Date('2026-01-05T12:40:00Z'),
    Target: { ...Target, Input: '<aws.scheduler.scheduled-time>' },
  });
  await clock.advance(86_400_000);
  expect(delivered()).toEqual(['2026-01-05T12:05:00Z', '2026-01-05T12:20:00Z', '2026-01-05T12:35:00Z']);
});

test('a disabled schedule does not run', async () => {
  await create('off', { State: 'DISABLED' });
  await clock.advance(86_400_000);
  expect(delivered()).toEqual([]);
});

test('a name in use is a conflict, unless the same client token sent it', async () => {
  const first = await create('retry', { ClientToken: 'one' });
  await expect(create('retry', { ClientToken: 'two' })).rejects.toThrow(ConflictException);
  expect(await create('retry', { ClientToken: 'one' })).toMatchObject({ ScheduleArn: first.ScheduleArn });
});

test('a schedule reads back as it was made', async () => {
  const StartDate = new Date('2026-01-05T00:00:00Z');
  await create('retry', { StartDate, Description: 'the third attempt' });
  expect(await get('retry')).toMatchObject({
    Arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/retry',
    GroupName: 'default',
    ScheduleExpression: 'at(2026-01-05T12:30:00)',
    ScheduleExpressionTimezone: 'UTC',
    State: 'ENABLED',
    ActionAfterCompletion: 'NONE',
    Description: 'the third attempt',
    StartDate,
    CreationDate: new Date(clock.now()),
    Target,
  });
});

test('what does not exist is not found, and what is no schedule is refused', async () => {
  await expect(get('none')).rejects.toThrow(ResourceNotFoundException);
  await expect(client.send(new DeleteScheduleCommand({ Name: 'none' }))).rejects.toThrow(
    ResourceNotFoundException,
  );
  await expect(create('bad', { ScheduleExpression: 'soon' })).rejects.toThrow(ValidationException);
  await expect(create('bad name')).rejects.toThrow(ValidationException);
});

test('a deleted schedule does not run', async () => {
  await create('retry');
  await client.send(new DeleteScheduleCommand({ Name: 'retry' }));
  await clock.advance(86_400_000);
  expect(delivered()).toEqual([]);
});

test('an update replaces the time', async () => {
  await create('retry');
  await client.send(
    new UpdateScheduleCommand({
      Name: 'retry',
      ScheduleExpression: 'at(2026-01-05T12:10:00)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target,
    }),
  );
  await clock.advance(10 * 60_000);
  expect(delivered()).toHaveLength(1);
  await clock.advance(86_400_000);
  expect(delivered()).toHaveLength(1);
});

test('schedules are listed by prefix and in pages', async () => {
  await create('retry-a');
  await create('retry-b');
  const first = await client.send(new ListSchedulesCommand({ NamePrefix: 'retry', MaxResults: 1 }));
  const { NextToken } = first;
  const second = await client.send(
    new ListSchedulesCommand({ NamePrefix: 'retry', MaxResults: 1, NextToken }),
  );
  expect([...first.Schedules!, ...second.Schedules!].map(({ Name }) => Name)).toEqual(['retry-a', 'retry-b']);
  expect(second.NextToken).toBeUndefined();
});

test('a schedule can be fired at once, at a time of choice, without a change to its timetable', async () => {
  await endpoint.scheduler.fire('spin-run', Date.parse('2026-07-01T04:00:00Z'));
  expect(invoke.mock.calls).toEqual([['start-spin-run', { now: '2026-07-01T04:00:00Z' }]]);
  await clock.advance(86_400_000);
  expect(invoke.mock.lastCall).toEqual(['start-spin-run', { now: '2026-01-06T05:00:00Z' }]);
  await expect(endpoint.scheduler.fire('none')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('a function that fails is called twice more, and then its event goes to the dead-letter queue', async () => {
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
