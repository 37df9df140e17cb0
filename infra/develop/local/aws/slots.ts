import type { Clock } from './clock.ts';
import { createDueList } from './due.ts';
import type { Message } from './message.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createRoundRobin } from './round-robin.ts';

type SlotState = 'visible' | 'delayed' | 'inFlight';

/** A queued message with its state. Each change of state increments `version`. */
export type QueuedMessage = { message: Message; state: SlotState; version: number };

export type MessageStore = {
  put(message: Message): QueuedMessage;
  find(id: string): QueuedMessage | undefined;
  remove(slot: QueuedMessage): void;
  show(slot: QueuedMessage): void;
  hide(slot: QueuedMessage, state: SlotState, seconds: number): void;
  nextVisible(): QueuedMessage | undefined;
  nextDue(): QueuedMessage | undefined;
  /** Returns the time (epoch milliseconds) when the next hidden message becomes visible; infinity if none is hidden. */
  dueAt(): number;
  live(): QueuedMessage[];
  /** Notifies waiters when a message becomes visible, and when the result of `dueAt` may have changed. */
  changed: Notifier;
};

export function createMessageStore(clock: Clock, retentionSeconds: number): MessageStore {
  type Entry = { slot: QueuedMessage; version: number };
  const slots = new Map<string, QueuedMessage>();
  const line = createRoundRobin<Entry>();
  const due = createDueList<Entry>();
  const changed = createNotifier(clock);

  const entryFor = (slot: QueuedMessage, state: SlotState): Entry => {
    Object.assign(slot, { state, version: slot.version + 1 });
    return { slot, version: slot.version };
  };
  const isCurrent = ({ slot, version }: Entry) =>
    slot.version === version && slots.get(slot.message.id) === slot;
  const isExpired = ({ message }: QueuedMessage) => message.sentAt + retentionSeconds * 1000 <= clock.now();
  const firstCurrent = (take: () => Entry | undefined) => {
    for (let next = take(); next; next = take()) {
      if (!isCurrent(next)) continue;
      if (!isExpired(next.slot)) return next.slot;
      slots.delete(next.slot.message.id);
    }
    return undefined;
  };

  return {
    changed,
    put(message) {
      const slot: QueuedMessage = { message, state: 'visible', version: 0 };
      slots.set(message.id, slot);
      return slot;
    },
    find: (id) => slots.get(id),
    remove: ({ message }) => slots.delete(message.id),
    show(slot) {
      line.push(slot.message.groupId ?? '', entryFor(slot, 'visible'));
      changed.notify();
    },
    hide(slot, state, seconds) {
      due.add(clock.now() + seconds * 1000, entryFor(slot, state));
      changed.notify();
    },
    nextVisible: () => firstCurrent(line.shift),
    nextDue: () => firstCurrent(() => due.take(clock.now())),
    dueAt() {
      // Removes outdated entries of messages whose state has changed: they would wake a waiting receiver needlessly.
      while (due.first() && !isCurrent(due.first()!)) due.take(due.next());
      return due.next();
    },
    live: () => [...slots.values()].filter((slot) => !isExpired(slot)),
  };
}
