import { queueArn } from './arns.ts';
import type { Clock } from './clock.ts';
import type { Message, NewMessage } from './message.ts';
import { createSlots, type Slot, type Slots } from './slots.ts';

/** A queue as it is declared: plain data. Absent values are the defaults of SQS. */
export type QueueDeclaration = {
  name: string;
  /** 30 by default. */
  visibilityTimeoutSeconds?: number;
  /** How often a message is received before it goes to `deadLetterQueue`; both or neither. */
  maxReceiveCount?: number;
  deadLetterQueue?: string;
  /** How long a message is kept, counted from when it was first sent. 4 days by default. */
  retentionSeconds?: number;
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
  send(message: NewMessage): Message;
  /** Up to `max` messages; with `waitSeconds`, which may be infinite, it resolves as soon as there is one. */
  receive(options?: {
    max?: number;
    waitSeconds?: number;
    visibilityTimeoutSeconds?: number | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<Received[]>;
  delete(receiptHandle: string): ReceiptResult;
  changeVisibility(receiptHandle: string, seconds: number): ReceiptResult;
  /** Takes messages away, whatever their state: those of some ids, or all. */
  purge(ids?: string[]): void;
  /** Puts a message in, ready at once. */
  admit(message: Message): void;
  counts(): QueueCounts;
  /** Every message, whatever its state, oldest first. */
  messages(): Message[];
};

/** The defaults of SQS. */
const defaultVisibilitySeconds = 30;
const defaultRetentionSeconds = 4 * 24 * 60 * 60;

/** Makes a standard queue in memory. `toDeadLetters` takes the messages that were received too often. */
export function createQueue(
  declaration: QueueDeclaration,
  clock: Clock,
  toDeadLetters?: (message: Message) => void,
): Queue {
  const { name, visibilityTimeoutSeconds: defaultVisibility = defaultVisibilitySeconds } = declaration;
  const slots = createSlots(clock, declaration.retentionSeconds ?? defaultRetentionSeconds);
  const show = showOrPark(slots, declaration.maxReceiveCount, (message) => toDeadLetters?.(message));
  const settle = () => {
    for (let slot = slots.nextDue(); slot; slot = slots.nextDue()) show(slot);
  };
  let sent = 0;

  return {
    name,
    arn: queueArn(name),
    send({ body, groupId, delaySeconds = 0 }) {
      const message = { id: `${name}-${++sent}`, body, sentAt: clock.now(), receiveCount: 0 };
      const slot = slots.put(groupId === undefined ? message : { ...message, groupId });
      if (delaySeconds > 0) slots.hide(slot, 'delayed', delaySeconds);
      else slots.show(slot);
      return slot.message;
    },
    async receive({ max = 1, waitSeconds = 0, visibilityTimeoutSeconds = defaultVisibility, signal } = {}) {
      const deadline = clock.now() + waitSeconds * 1000;
      while (!signal?.aborted) {
        settle();
        const received = takeUpTo(max, slots, { visibilityTimeoutSeconds, now: clock.now() });
        const now = clock.now();
        if (received.length > 0 || now >= deadline) return received;
        await slots.changed.wait(Math.min(deadline, slots.dueAt()) - now, signal);
      }
      return [];
    },
    delete(receiptHandle) {
      settle();
      return withReceipt(slots, receiptHandle, (slot) => {
        slots.remove(slot);
        return 'done';
      });
    },
    changeVisibility(receiptHandle, seconds) {
      settle();
      return withReceipt(slots, receiptHandle, (slot) => {
        if (slot.state !== 'inFlight') return 'stale';
        if (seconds > 0) slots.hide(slot, 'inFlight', seconds);
        else show(slot);
        return 'done';
      });
    },
    purge(ids) {
      const slotsOf = ids ? ids.map(slots.find) : slots.live();
      for (const slot of slotsOf) if (slot) slots.remove(slot);
    },
    admit: (message) => slots.show(slots.put(message)),
    counts() {
      settle();
      const counts = { visible: 0, delayed: 0, inFlight: 0 };
      for (const { state } of slots.live()) counts[state] += 1;
      return counts;
    },
    messages() {
      settle();
      return slots.live().map(({ message }) => ({ ...message }));
    },
  };
}

/** Shows a message again, or parks it if it was received as often as it may be. */
function showOrPark(
  slots: Slots,
  maxReceiveCount = Number.POSITIVE_INFINITY,
  park: (message: Message) => void,
) {
  return (slot: Slot) => {
    if (slot.message.receiveCount < maxReceiveCount) return slots.show(slot);
    slots.remove(slot);
    park(slot.message);
  };
}

function takeUpTo(
  max: number,
  slots: Slots,
  { visibilityTimeoutSeconds, now }: { visibilityTimeoutSeconds: number; now: number },
): Received[] {
  const received: Received[] = [];
  while (received.length < max) {
    const slot = slots.nextVisible();
    if (!slot) break;
    const { message } = slot;
    message.receiveCount += 1;
    message.firstReceivedAt ??= now;
    slots.hide(slot, 'inFlight', visibilityTimeoutSeconds);
    received.push({ ...message, receiptHandle: handleOf(message) });
  }
  return received;
}

function withReceipt(
  slots: Slots,
  receiptHandle: string,
  change: (slot: Slot) => ReceiptResult,
): ReceiptResult {
  const [, id, receiveCount] = /^(.+)#(\d+)$/.exec(receiptHandle) ?? [];
  if (id === undefined) return 'malformed';
  const slot = slots.find(id);
  return slot?.message.receiveCount === Number(receiveCount) ? change(slot) : 'stale';
}

const handleOf = ({ id, receiveCount }: Message) => `${id}#${receiveCount}`;
