import {
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../../infra/develop/local/aws/endpoint.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
let clock: ManualClock;
let endpoint: AwsEndpoint;
let client: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  clock = createManualClock();
  endpoint = await startAwsEndpoint({
    queues: [
      { name: 'deliveries', visibilityTimeoutSeconds: 60, maxReceiveCount: 2, deadLetterQueue: 'parked' },
      { name: 'parked' },
    ],
    clock,
    invoke: async () => {},
  });
  client = new SQSClient({ region: 'us-east-1', endpoint: endpoint.url, credentials });
  QueueUrl = urlOf('deliveries');
});
afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

const urlOf = (name: string) => `${endpoint.url}/000000000000/${name}`;
const send = (body: string, more: Partial<SendMessageCommandInput> = {}) =>
  client.send(new SendMessageCommand({ QueueUrl, MessageBody: body, ...more }));
async function receive(more: Partial<ReceiveMessageCommandInput> = {}) {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more }),
  );
  return Messages;
}
const bodies = async (more: Partial<ReceiveMessageCommandInput> = {}) =>
  (await receive(more)).map(({ Body }) => Body);

test('a received message is hidden until its visibility timeout, and counts its receives', async () => {
  await send('a');
  expect(await bodies()).toEqual(['a']);
  await clock.advance(59_999);
  expect(await bodies()).toEqual([]);
  await clock.advance(1);
  expect(await bodies()).toEqual(['a']);
  expect(endpoint.queues.get('deliveries').messages()).toMatchObject([{ receiveCount: 2 }]);
});

test('a deleted message does not come back', async () => {
  await send('a');
  const [message] = await receive();
  endpoint.queues.get('deliveries').delete(message!.ReceiptHandle!);
  await clock.advance(60_000);
  expect(await bodies()).toEqual([]);
  expect(endpoint.queues.get('deliveries').messages()).toEqual([]);
});

test('a delayed message arrives after its delay, even during a long poll', async () => {
  await send('a', { DelaySeconds: 15 });
  expect(await bodies()).toEqual([]);
  const polling = bodies({ WaitTimeSeconds: 20 });
  await eventually(() => expect(clock.waiting()).toBeGreaterThan(1));
  await clock.advance(15_000);
  expect(await polling).toEqual(['a']);
});

test('groups take turns, so that a busy group delays no other', async () => {
  for (const body of ['a1', 'a2', 'a3', 'a4']) await send(body, { MessageGroupId: 'a' });
  await send('b1', { MessageGroupId: 'b' });
  await send('c1', { MessageGroupId: 'c' });
  expect(await bodies({ MaxNumberOfMessages: 4 })).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('a message that was received too often goes to the dead-letter queue', async () => {
  const { MessageId } = await send('a', { MessageGroupId: 'g' });
  await receive();
  await clock.advance(60_000);
  await receive();
  await clock.advance(60_000);
  expect(await bodies()).toEqual([]);
  expect(await receive({ QueueUrl: urlOf('parked') })).toMatchObject([{ MessageId, Body: 'a' }]);
});

test('a batch reports each entry, and a refused entry affects no other', async () => {
  const Entries = [
    { Id: 'good', MessageBody: 'a' },
    { Id: 'bad', MessageBody: 'b', DelaySeconds: 901 },
  ];
  const sent = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  expect(sent.Successful).toMatchObject([{ Id: 'good' }]);
  expect(sent.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidParameterValue', SenderFault: true }]);
});

test('a batch has at most ten entries and one mebibyte', async () => {
  const batch = (bodies: string[]) => {
    const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    return client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  };
  await expect(batch(Array(11).fill('a'))).rejects.toThrow(TooManyEntriesInBatchRequest);
  const half = 'a'.repeat(512 * 1024);
  await expect(batch([half, half])).resolves.toMatchObject({ Failed: [] });
  await expect(batch([half, `${half}a`])).rejects.toMatchObject({ name: 'BatchRequestTooLong' });
  await expect(send(`${half}${half}a`)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
});
