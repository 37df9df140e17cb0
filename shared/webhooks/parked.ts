import {
  ChangeMessageVisibilityBatchCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { type Delivery, parkedQueueUrl, parseDelivery } from './delivery-queue.ts';

const maxPerRequest = 10;
// Received messages stay invisible for two minutes, so that no message is read twice.
const invisibleSeconds = 120;

/** Leaves deliveries in the queue. Throws if SQS did not make all visible again: they stay hidden for two minutes. */
export async function readParkedDeliveries(maxCount: number): Promise<Delivery[]> {
  const batches: Message[][] = [];
  const deliveries: Delivery[] = [];
  try {
    for (let batch = await receive(); batch.length > 0; batch = await receive()) {
      batches.push(batch);
      deliveries.push(...batch.flatMap(({ Body = '' }) => parseDelivery(Body) ?? []));
      if (deliveries.length >= maxCount) break;
    }
  } finally {
    await Promise.all(batches.map(makeVisible));
  }
  return deliveries.slice(0, maxCount);
}

async function receive(): Promise<Message[]> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: parkedQueueUrl(),
      MaxNumberOfMessages: maxPerRequest,
      VisibilityTimeout: invisibleSeconds,
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

async function makeVisible(messages: Message[]): Promise<void> {
  const Entries = messages.map(({ ReceiptHandle }, index) => ({
    Id: String(index),
    ReceiptHandle: ReceiptHandle!,
    VisibilityTimeout: 0,
  }));
  const { Failed = [] } = await sqs().send(
    new ChangeMessageVisibilityBatchCommand({ QueueUrl: parkedQueueUrl(), Entries }),
  );
  if (Failed.length > 0)
    throw new Error(
      `${Failed.length} parked deliveries stay hidden for ${invisibleSeconds} s: ${Failed[0]?.Code}`,
    );
}
