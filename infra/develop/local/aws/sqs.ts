import { awsError, isAwsError } from './error.ts';
import type { NewMessage } from './message.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';
import { invalidParameter, receivedToWire, sentToWire, sqsError } from './sqs-wire.ts';

/** Limits of SQS: 1 MiB per message and per batch, ten messages per batch, and 15 minutes of delay. */
const maxMessageBytes = 1024 * 1024;
const maxEntries = 10;
const maxDelaySeconds = 900;

type ReceiveInput = {
  QueueUrl: string;
  MaxNumberOfMessages?: number;
  WaitTimeSeconds?: number;
  VisibilityTimeout?: number;
};
type VisibilityInput = { ReceiptHandle: string; VisibilityTimeout: number };
type SendInput = { MessageBody: string; DelaySeconds?: number; MessageGroupId?: string };
type BatchInput<Entry> = {
  QueueUrl: string;
  Entries: (Entry & { Id: string })[];
};
type Call = { queues: Queues; signal?: AbortSignal | undefined };

/** Throws an `AwsError` for an unknown operation or invalid request. Only `ReceiveMessage` returns a promise. */
export function callSqs(operation: string, input: unknown, call: Call): unknown {
  const answer = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!answer) throw awsError('UnknownOperationException', `${operation} is not served here`);
  // Does not validate the input's types: callers use the AWS SDK's typed commands.
  return answer(input as never, call);
}

const queueOf = (input: { QueueUrl: string }, { queues }: Call): Queue =>
  queues.get(input.QueueUrl.slice(input.QueueUrl.lastIndexOf('/') + 1));

const operations: Record<string, (input: never, call: Call) => unknown> = {
  SendMessage(input: SendInput & { QueueUrl: string }, call) {
    const message = toMessage(input);
    return sentToWire(queueOf(input, call).send(message));
  },
  SendMessageBatch(input: BatchInput<SendInput>, call) {
    const queue = queueOf(input, call);
    const bytes = input.Entries.map(({ MessageBody }) => Buffer.byteLength(MessageBody));
    if (bytes.reduce((sum, size) => sum + size, 0) > maxMessageBytes) {
      throw sqsError('BatchRequestTooLong', `A batch may have at most ${maxMessageBytes} bytes in all.`);
    }
    return eachEntry(input, (entry) => sentToWire(queue.send(toMessage(entry))));
  },
  async ReceiveMessage(input: ReceiveInput, call) {
    const { MaxNumberOfMessages: max = 1, WaitTimeSeconds: waitSeconds = 0, VisibilityTimeout } = input;
    const options = { max, waitSeconds, visibilityTimeoutSeconds: VisibilityTimeout, signal: call.signal };
    const received = await queueOf(input, call).receive(options);
    return received.length > 0 ? { Messages: received.map(receivedToWire) } : {};
  },
  GetQueueAttributes(input: { QueueUrl: string }, call) {
    const { visible, delayed, inFlight } = queueOf(input, call).counts();
    const counts = { '': visible, Delayed: delayed, NotVisible: inFlight };
    const named = Object.entries(counts).map(([name, count]) => [
      `ApproximateNumberOfMessages${name}`,
      `${count}`,
    ]);
    return { Attributes: Object.fromEntries(named) };
  },
  ChangeMessageVisibilityBatch(input: BatchInput<VisibilityInput>, call) {
    const queue = queueOf(input, call);
    return eachEntry(input, ({ ReceiptHandle, VisibilityTimeout }) => {
      if (queue.changeVisibility(ReceiptHandle, VisibilityTimeout)) return {};
      throw sqsError('MessageNotInflight', 'The message is not in flight.');
    });
  },
};

function toMessage(input: SendInput): NewMessage {
  const { MessageBody: body, MessageGroupId: groupId, DelaySeconds: delaySeconds } = input;
  if (delaySeconds !== undefined && !(delaySeconds >= 0 && delaySeconds <= maxDelaySeconds)) {
    throw invalidParameter(`DelaySeconds is ${delaySeconds}, but must be 0 to ${maxDelaySeconds}.`);
  }
  if (Buffer.byteLength(body) > maxMessageBytes) {
    throw invalidParameter(`One or more parameters are invalid. Reason: at most ${maxMessageBytes} bytes.`);
  }
  return { body, groupId, delaySeconds };
}

/** Runs each entry of a batch. A refused entry does not affect the others. */
function eachEntry<Entry>({ Entries }: BatchInput<Entry>, run: (entry: Entry) => object) {
  if (Entries.length > maxEntries)
    throw sqsError('TooManyEntriesInBatchRequest', `At most ${maxEntries} entries.`);
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of Entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!isAwsError(error)) throw error;
      const Code = error.queryCode ?? error.name;
      Failed.push({ Id: entry.Id, Code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful, Failed };
}
