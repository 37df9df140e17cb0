import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../../infra/develop/local/aws/endpoint.ts';
import { pollQueue } from '../../../../../infra/develop/local/aws/queue-source.ts';
import { eventually } from '../../../../support/eventually.ts';

let endpoint: AwsEndpoint;
let sqs: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  endpoint = await startAwsEndpoint({ queues: [{ name: 'deliveries' }], invoke: async () => {} });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const options = { region: 'us-east-1', endpoint: endpoint.url, credentials, maxAttempts: 1 };
  sqs = new SQSClient(options);
  QueueUrl = `${endpoint.url}/000000000000/deliveries`;
});
afterEach(async () => {
  sqs.destroy();
  await endpoint.close();
});

test('a message goes to the function of its queue', async () => {
  const bodies: string[] = [];
  const source = pollQueue({
    queue: endpoint.queues.get('deliveries'),
    batchSize: 10,
    concurrency: 2,
    invoke: async ({ Records }) => void bodies.push(...Records.map(({ body }) => body)),
  });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'first' }));
  await eventually(() => expect(bodies).toEqual(['first']));
  await source.stop();
});

test('an operation that is not served is refused by its name', async () => {
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AmazonSQS.constructor' },
    body: '{}',
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ __type: 'UnknownOperationException' });
});
