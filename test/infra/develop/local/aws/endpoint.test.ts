import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../../infra/develop/local/aws/endpoint.ts';
import { pollQueue } from '../../../../../infra/develop/local/aws/queue-source.ts';
import { eventually } from '../../../../support/eventually.ts';

let endpoint: AwsEndpoint;
let sqs: SQSClient;
let scheduler: SchedulerClient;
let QueueUrl: string;

beforeEach(async () => {
  endpoint = await startAwsEndpoint({ queues: [{ name: 'deliveries' }], invoke: async () => {} });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const options = { region: 'us-east-1', endpoint: endpoint.url, credentials, maxAttempts: 1 };
  sqs = new SQSClient(options);
  scheduler = new SchedulerClient(options);
  QueueUrl = `${endpoint.url}/000000000000/deliveries`;
});
afterEach(async () => {
  sqs.destroy();
  scheduler.destroy();
  await endpoint.close();
});

test('a message whose function schedules its next attempt comes back as that attempt', async () => {
  const attempts: string[] = [];
  const source = pollQueue({
    queue: endpoint.queues.get('deliveries'),
    batchSize: 10,
    concurrency: 2,
    invoke: async ({ Records }) => {
      for (const { body } of Records) {
        attempts.push(body);
        if (body === 'first') await scheduleNext();
      }
    },
  });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'first' }));
  await eventually(() => expect(attempts).toEqual(['first', 'second']));
  await eventually(() => expect(endpoint.scheduler.list()).toEqual([]));
  await source.stop();
});

async function scheduleNext() {
  const { arn } = endpoint.queues.get('deliveries');
  await scheduler.send(
    new CreateScheduleCommand({
      Name: 'next-attempt',
      ScheduleExpression: `at(${new Date().toISOString().slice(0, 19)})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: { Arn: arn, RoleArn: 'arn:aws:iam::000000000000:role/scheduler', Input: 'second' },
    }),
  );
}

test('an operation that is not served is refused by its name', async () => {
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AmazonSQS.constructor' },
    body: '{}',
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ __type: 'UnknownOperationException' });
});
