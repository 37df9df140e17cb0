import type { Clock } from './clock.ts';
import { createDueList } from './due.ts';
import type { Message } from './message.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createRoundRobin } from './round-robin.ts';

type SlotState = 'visible' | 'delayed' | 'inFlight';

/**
 * A queued message with its state. Each change of state increments `version`. The queue's lists skip entries that have
 * a lower version than the slot.
 */
export type Slot = { message: Message; state: SlotState; version: number };

/**
 * A queue's messages: visible ones in delivery order, hidden ones (delayed or in flight) by when they become visible.
 */
export type Slots = {
  put(message: Message): Slot;
  find(id: string): Slot | undefined;
  remove(slot: Slot): void;
  /** Makes a message visible, behind the other visible messages of its message group. */
  show(slot: Slot): void;
  hide(slot: Slot, state: SlotState, seconds: number): void;
  /** Removes and returns the next visible message. Takes messages of the message groups in turn. */
  nextVisible(): Slot | undefined;
  /** Removes and returns the next hidden message that is due to become visible. */
  nextDue(): Slot | undefined;
  /** Returns the time (epoch milliseconds) when the next hidden message becomes visible; infinity if none is hidden. */
  dueAt(): number;
  /** Returns all messages that are still within their retention. */
  live(): Slot[];
  /** Notifies waiters when a message becomes visible, and when the result of `dueAt` may have changed. */
  changed: Notifier;
};

/** Creates an empty set of messages. Each message is dropped after its retention. */
export function createSlots(clock: Clock, retentionSeconds: number): Slots {
  type Entry = { slot: Slot; version: number };
  const slots = new Map<string, Slot>();
  const line = createRoundRobin<Entry>();
  const due = createDueList<Entry>();
  const changed = createNotifier(clock);

  const entryFor = (slot: Slot, state: SlotState): Entry => {
    Object.assign(slot, { state, version: slot.version + 1 });
    return { slot, version: slot.version };
  };
  const isCurrent = ({ slot, version }: Entry) =>
    slot.version === version && slots.get(slot.message.id) === slot;
  const isExpired = ({ message }: Slot) => message.sentAt + retentionSeconds * 1000 <= clock.now();
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
      const slot: Slot = { message, state: 'visible', version: 0 };
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
