import type { Clock } from './clock.ts';
import type { Message, NewMessage } from './message.ts';
import { createMessageStore, type MessageStore, type QueuedMessage } from './slots.ts';

export type QueueDeclaration = {
  name: string;
  visibilityTimeoutSeconds?: number;
  /** After this many receives, a message moves to `deadLetterQueue`. */
  maxReceiveCount?: number;
  deadLetterQueue?: string;
  /** Retention of a message in seconds, from when it was first sent. Defaults to 4 days. */
  retentionSeconds?: number;
};

/** A received message. Its receipt handle becomes invalid when the message is received again. */
export type ReceivedMessage = Message & { receiptHandle: string };

export type Queue = {
  name: string;
  send(message: NewMessage): Message;
  /** Receives up to `max` messages. Waits up to `waitSeconds` (may be infinity) for the first message. */
  receive(options?: {
    max?: number;
    waitSeconds?: number;
    visibilityTimeoutSeconds?: number | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<ReceivedMessage[]>;
  /** Does nothing if the message was deleted or received again. */
  delete(receiptHandle: string): void;
  /** Returns false if the message is not in flight, or was received again. */
  changeVisibility(receiptHandle: string, seconds: number): boolean;
  /** Deletes all messages if `ids` is absent. */
  purge(ids?: string[]): void;
  admit(message: Message): void;
  counts(): Record<QueuedMessage['state'], number>;
  messages(): Message[];
};

/** SQS's default visibility timeout and retention, in seconds. */
const defaultVisibilitySeconds = 30;
const defaultRetentionSeconds = 4 * 24 * 60 * 60;

/** Calls `toDeadLetters` with each message that was received `maxReceiveCount` times and not deleted. */
export function createQueue(
  declaration: QueueDeclaration,
  clock: Clock,
  toDeadLetters?: (message: Message) => void,
): Queue {
  const { name, visibilityTimeoutSeconds: defaultVisibility = defaultVisibilitySeconds } = declaration;
  const slots = createMessageStore(clock, declaration.retentionSeconds ?? defaultRetentionSeconds);
  const show = showOrDeadLetter(slots, declaration.maxReceiveCount, (message) => toDeadLetters?.(message));
  const settle = () => {
    for (let slot = slots.nextDue(); slot; slot = slots.nextDue()) show(slot);
  };
  let sent = 0;

  return {
    name,
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
        const received = takeUpTo(max, slots, visibilityTimeoutSeconds);
        const now = clock.now();
        if (received.length > 0 || now >= deadline) return received;
        await slots.changed.wait(Math.min(deadline, slots.dueAt()) - now, signal);
      }
      return [];
    },
    delete(receiptHandle) {
      settle();
      const slot = slotOf(slots, receiptHandle);
      if (slot) slots.remove(slot);
    },
    changeVisibility(receiptHandle, seconds) {
      settle();
      const slot = slotOf(slots, receiptHandle);
      if (slot?.state !== 'inFlight') return false;
      if (seconds > 0) slots.hide(slot, 'inFlight', seconds);
      else show(slot);
      return true;
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

/** Returns a function that makes a message visible, or dead after `maxReceiveCount` receives. */
function showOrDeadLetter(
  slots: MessageStore,
  maxReceiveCount = Number.POSITIVE_INFINITY,
  deadLetter: (message: Message) => void,
) {
  return (slot: QueuedMessage) => {
    if (slot.message.receiveCount < maxReceiveCount) return slots.show(slot);
    slots.remove(slot);
    deadLetter(slot.message);
  };
}

function takeUpTo(max: number, slots: MessageStore, visibilityTimeoutSeconds: number): ReceivedMessage[] {
  const received: ReceivedMessage[] = [];
  while (received.length < max) {
    const slot = slots.nextVisible();
    if (!slot) break;
    const { message } = slot;
    message.receiveCount += 1;
    slots.hide(slot, 'inFlight', visibilityTimeoutSeconds);
    received.push({ ...message, receiptHandle: handleOf(message) });
  }
  return received;
}

function slotOf(slots: MessageStore, receiptHandle: string): QueuedMessage | undefined {
  const [id = '', receiveCount] = receiptHandle.split('#');
  const slot = slots.find(id);
  return slot?.message.receiveCount === Number(receiveCount) ? slot : undefined;
}

const handleOf = ({ id, receiveCount }: Message) => `${id}#${receiveCount}`;
