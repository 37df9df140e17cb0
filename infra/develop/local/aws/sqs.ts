import { awsError, isAwsError } from './error.ts';
import type { NewMessage } from './message.ts';
import type { Queue, ReceiptResult } from './queue.ts';
import type { Queues } from './queues.ts';
import { invalidParameter, receivedToWire, sentToWire, sqsError } from './sqs-wire.ts';

/** Limits of SQS: 1 MiB per message and also per batch, and ten messages per batch. */
const maxMessageBytes = 1024 * 1024;
const maxEntries = 10;

type ReceiveInput = {
  QueueUrl: string;
  MaxNumberOfMessages?: number;
  WaitTimeSeconds?: number;
  VisibilityTimeout?: number;
};
type ReceiptInput = { ReceiptHandle: string; VisibilityTimeout?: number };
type SendInput = {
  MessageBody: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
};
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
    const bytes = (input.Entries ?? []).map(({ MessageBody }) => Buffer.byteLength(MessageBody ?? ''));
    if (bytes.reduce((sum, size) => sum + size, 0) > maxMessageBytes) {
      throw sqsError('BatchRequestTooLong', `A batch may have at most ${maxMessageBytes} bytes in all.`);
    }
    return eachEntry(input, (entry) => sentToWire(queue.send(toMessage(entry))));
  },
  async ReceiveMessage(input: ReceiveInput, call) {
    const max = between(1, 10, 'MaxNumberOfMessages', input.MaxNumberOfMessages ?? 1);
    const waitSeconds = between(0, 20, 'WaitTimeSeconds', input.WaitTimeSeconds ?? 0);
    const visibilityTimeoutSeconds = visibilityOf(input);
    const { signal } = call;
    const options = { max, waitSeconds, visibilityTimeoutSeconds, signal };
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
  DeleteMessageBatch(input: BatchInput<ReceiptInput>, call) {
    const queue = queueOf(input, call);
    return eachEntry(input, (entry) => deleteOne(queue, entry));
  },
  ChangeMessageVisibilityBatch(input: BatchInput<ReceiptInput>, call) {
    const queue = queueOf(input, call);
    return eachEntry(input, (entry) => changeVisibility(queue, entry));
  },
};

function toMessage(input: SendInput): NewMessage {
  const { MessageBody: body, MessageGroupId: groupId, DelaySeconds: delaySeconds } = input;
  if (!body) throw awsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (delaySeconds !== undefined) between(0, 900, 'DelaySeconds', delaySeconds);
  if (Buffer.byteLength(body) > maxMessageBytes) {
    throw invalidParameter(`One or more parameters are invalid. Reason: at most ${maxMessageBytes} bytes.`);
  }
  return { body, groupId, delaySeconds };
}

function deleteOne(queue: Queue, input: ReceiptInput) {
  // Ignores a stale receipt handle: as in SQS, the operation succeeds, but the message stays in the queue.
  refuseMalformed(queue.delete(input.ReceiptHandle));
  return {};
}

function changeVisibility(queue: Queue, input: ReceiptInput) {
  const seconds = visibilityOf(input);
  if (seconds === undefined) throw awsError('MissingParameter', 'VisibilityTimeout is required.');
  const result = queue.changeVisibility(input.ReceiptHandle, seconds);
  refuseMalformed(result);
  if (result === 'stale') throw sqsError('MessageNotInflight', 'The message is not in flight.');
  return {};
}

const visibilityOf = ({ VisibilityTimeout: seconds }: { VisibilityTimeout?: number }) =>
  seconds === undefined ? undefined : between(0, 43_200, 'VisibilityTimeout', seconds);

function refuseMalformed(result: ReceiptResult) {
  if (result !== 'malformed') return;
  const message = 'The input receipt handle is invalid.';
  throw awsError('ReceiptHandleIsInvalid', message, 404, 'ReceiptHandleIsInvalid');
}

function between(min: number, max: number, name: string, value: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidParameter(
    `Value ${value} for parameter ${name} is invalid. Reason: must be between ${min} and ${max}.`,
  );
}

/** A refused entry does not affect the other entries. */
function eachEntry<Entry>({ Entries }: BatchInput<Entry>, run: (entry: Entry) => object) {
  const entries = Entries ?? [];
  const ids = entries.map(({ Id }) => Id ?? '');
  if (ids.length === 0) throw sqsError('EmptyBatchRequest', 'There should be at least one entry.');
  if (ids.length > maxEntries)
    throw sqsError('TooManyEntriesInBatchRequest', `At most ${maxEntries} entries.`);
  if (new Set(ids).size < ids.length)
    throw sqsError('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  if (!ids.every((id) => /^[\w-]{1,80}$/.test(id))) {
    throw sqsError('InvalidBatchEntryId', 'An Id has up to 80 letters, digits, hyphens, underscores.');
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
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
