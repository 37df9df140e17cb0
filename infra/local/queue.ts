import { randomUUID } from 'node:crypto';
import { queueArn } from './arns.ts';
import { createBell } from './bell.ts';
import type { Clock } from './clock.ts';
import { createDueList } from './due.ts';
import { createFairLine } from './fair-line.ts';
import type { Message, NewMessage } from './message.ts';

/** A queue as it is declared: plain data. Absent values are the defaults of SQS. */
export type QueueDeclaration = {
  name: string;
  /** 30 where absent. */
  visibilityTimeoutSeconds?: number;
  /** 0 where absent. */
  delaySeconds?: number;
  /** Four days where absent. */
  retentionSeconds?: number;
  /** How often a message is received before it goes to `deadLetterQueue`; both or neither. */
  maxReceiveCount?: number;
  deadLetterQueue?: string;
};

/** A message as it was received; `receiptHandle` is good for this receipt only. */
export type Received = Message & { receiptHandle: string };

export type QueueCounts = {
  visible: number;
  delayed: number;
  inFlight: number;
};

/** What became of a receipt handle: done, no message by it, or one that is not in flight under it any more. */
export type ReceiptResult = 'done' | 'malformed' | 'stale';

export type Queue = {
  name: string;
  arn: string;
  declaration: QueueDeclaration;
  send(message: NewMessage): Message;
  /** Up to `max` messages; with `waitSeconds` it answers as soon as there is one. */
  receive(options?: {
    max?: number;
    waitSeconds?: number;
    visibilityTimeoutSeconds?: number | undefined;
    signal?: AbortSignal;
  }): Promise<Received[]>;
  delete(receiptHandle: string): ReceiptResult;
  changeVisibility(receiptHandle: string, seconds: number): ReceiptResult;
  purge(): void;
  /** Takes out every visible message, for a redrive. */
  drain(): Message[];
  /** Puts a message in, ready at once. */
  admit(message: Message): void;
  counts(): QueueCounts;
  /** Every message, whatever its state, oldest first. */
  messages(): Message[];
};

type State = 'visible' | 'delayed' | 'inFlight';
// A changed version makes the entries left behind in the line and the due list void.
type Slot = { message: Message; state: State; version: number };
type Ticket = { slot: Slot; version: number };

const fourDays = 4 * 24 * 60 * 60;

/** Makes a standard queue in memory. `toDeadLetters` takes the messages that were received too often. */
export function createQueue(
  declaration: QueueDeclaration,
  clock: Clock,
  toDeadLetters?: (message: Message) => void,
): Queue {
  const arn = queueArn(declaration.name);
  const { visibilityTimeoutSeconds: defaultVisibility = 30, delaySeconds: defaultDelay = 0 } = declaration;
  const { retentionSeconds = fourDays, maxReceiveCount = Number.POSITIVE_INFINITY } = declaration;
  const slots = new Map<string, Slot>();
  const line = createFairLine<Ticket>();
  const due = createDueList<Ticket>();
  const bell = createBell(clock);

  const isCurrent = ({ slot, version }: Ticket) =>
    slot.version === version && slots.get(slot.message.id) === slot;
  const hide = (slot: Slot, state: State, seconds: number) => {
    Object.assign(slot, { state, version: slot.version + 1 });
    due.add(clock.now() + seconds * 1000, { slot, version: slot.version });
    bell.ring();
  };
  const show = (slot: Slot) => {
    if (toDeadLetters && slot.message.receiveCount >= maxReceiveCount) {
      slots.delete(slot.message.id);
      toDeadLetters({ ...slot.message, deadLetterSource: arn });
      return;
    }
    Object.assign(slot, { state: 'visible', version: slot.version + 1 });
    line.push(slot.message.groupId ?? '', { slot, version: slot.version });
    bell.ring();
  };
  const isExpired = ({ message }: Slot) => message.sentAt + retentionSeconds * 1000 <= clock.now();
  const settle = () => {
    for (let ticket = due.take(clock.now()); ticket; ticket = due.take(clock.now())) {
      if (isCurrent(ticket)) show(ticket.slot);
    }
  };
  const nextVisible = () => {
    for (let ticket = line.shift(); ticket; ticket = line.shift()) {
      if (!isCurrent(ticket)) continue;
      if (!isExpired(ticket.slot)) return ticket.slot;
      slots.delete(ticket.slot.message.id);
    }
    return undefined;
  };
  const take = (visibility: number): Received | undefined => {
    const slot = nextVisible();
    if (!slot) return undefined;
    slot.message.receiveCount += 1;
    slot.message.firstReceivedAt ??= clock.now();
    hide(slot, 'inFlight', visibility);
    const handle = JSON.stringify([slot.message.id, slot.message.receiveCount]);
    return {
      ...slot.message,
      receiptHandle: Buffer.from(handle).toString('base64'),
    };
  };
  const put = (message: Message) => {
    const slot: Slot = { message, state: 'visible', version: 0 };
    slots.set(message.id, slot);
    return slot;
  };
  const withReceipt = (receiptHandle: string, change: (slot: Slot) => void): ReceiptResult => {
    const receipt = readReceipt(receiptHandle);
    if (!receipt) return 'malformed';
    settle();
    const slot = slots.get(receipt.id);
    if (slot?.message.receiveCount !== receipt.receiveCount) return 'stale';
    change(slot);
    return 'done';
  };

  return {
    name: declaration.name,
    arn,
    declaration,
    send({ body, attributes = {}, groupId, delaySeconds = defaultDelay }) {
      const message = {
        id: randomUUID(),
        body,
        attributes,
        sentAt: clock.now(),
        receiveCount: 0,
      };
      const slot = put(groupId === undefined ? message : { ...message, groupId });
      if (delaySeconds > 0) hide(slot, 'delayed', delaySeconds);
      else show(slot);
      return slot.message;
    },
    async receive({ max = 1, waitSeconds = 0, visibilityTimeoutSeconds = defaultVisibility, signal } = {}) {
      const deadline = clock.now() + waitSeconds * 1000;
      while (!signal?.aborted) {
        settle();
        const received: Received[] = [];
        while (received.length < max) {
          const message = take(visibilityTimeoutSeconds);
          if (!message) break;
          received.push(message);
        }
        const now = clock.now();
        if (received.length > 0 || now >= deadline) return received;
        await bell.wait(Math.min(deadline, due.next()) - now, signal);
      }
      return [];
    },
    delete: (receiptHandle) => withReceipt(receiptHandle, ({ message }) => slots.delete(message.id)),
    changeVisibility(receiptHandle, seconds) {
      let wasInFlight = false;
      const result = withReceipt(receiptHandle, (slot) => {
        wasInFlight = slot.state === 'inFlight';
        if (!wasInFlight) return;
        if (seconds > 0) hide(slot, 'inFlight', seconds);
        else show(slot);
      });
      return result === 'done' && !wasInFlight ? 'stale' : result;
    },
    purge() {
      slots.clear();
      line.clear();
      due.clear();
    },
    drain() {
      settle();
      const drained: Message[] = [];
      for (let slot = nextVisible(); slot; slot = nextVisible()) {
        slots.delete(slot.message.id);
        drained.push(slot.message);
      }
      return drained;
    },
    admit: (message) => show(put(message)),
    counts() {
      settle();
      const counts = { visible: 0, delayed: 0, inFlight: 0 };
      for (const slot of slots.values()) if (!isExpired(slot)) counts[slot.state] += 1;
      return counts;
    },
    messages() {
      settle();
      return [...slots.values()].filter((slot) => !isExpired(slot)).map(({ message }) => ({ ...message }));
    },
  };
}

function readReceipt(receiptHandle: string): { id: string; receiveCount: number } | undefined {
  try {
    const [id, receiveCount] = JSON.parse(Buffer.from(receiptHandle, 'base64').toString());
    return typeof id === 'string' && typeof receiveCount === 'number' ? { id, receiveCount } : undefined;
  } catch {
    return undefined;
  }
}
