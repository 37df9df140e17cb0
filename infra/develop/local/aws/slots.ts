import type { Clock } from './clock.ts';
import { createDueList } from './due.ts';
import { createFairLine } from './fair-line.ts';
import type { Message } from './message.ts';
import { createNotifier, type Notifier } from './notifier.ts';

export type SlotState = 'visible' | 'delayed' | 'inFlight';

/** A message in its queue. A changed version makes what was noted about it before void. */
export type Slot = { message: Message; state: SlotState; version: number };

/** The messages of a queue: which can be seen, and from when on the others. */
export type Slots = {
  put(message: Message): Slot;
  find(id: string): Slot | undefined;
  remove(slot: Slot): void;
  /** Puts a message in line, behind those of its group. */
  show(slot: Slot): void;
  hide(slot: Slot, state: SlotState, seconds: number): void;
  /** Takes the next visible message out of the line; groups take turns. */
  nextVisible(): Slot | undefined;
  /** Takes the next hidden message whose time has come. */
  nextDue(): Slot | undefined;
  /** When the next message comes due, as epoch milliseconds. */
  dueAt(): number;
  /** All messages within their retention. */
  live(): Slot[];
  /** Notified when a message was shown, or is due earlier than before. */
  changed: Notifier;
};

/** Makes an empty set of slots that forgets messages after their retention. */
export function createSlots(clock: Clock, retentionSeconds: number): Slots {
  type Note = { slot: Slot; version: number };
  const slots = new Map<string, Slot>();
  const line = createFairLine<Note>();
  const due = createDueList<Note>();
  const changed = createNotifier(clock);

  const note = (slot: Slot, state: SlotState): Note => {
    Object.assign(slot, { state, version: slot.version + 1 });
    return { slot, version: slot.version };
  };
  const isCurrent = ({ slot, version }: Note) =>
    slot.version === version && slots.get(slot.message.id) === slot;
  const isExpired = ({ message }: Slot) => message.sentAt + retentionSeconds * 1000 <= clock.now();
  const firstCurrent = (take: () => Note | undefined) => {
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
      line.push(slot.message.groupId ?? '', note(slot, 'visible'));
      changed.notify();
    },
    hide(slot, state, seconds) {
      due.add(clock.now() + seconds * 1000, note(slot, state));
      changed.notify();
    },
    nextVisible: () => firstCurrent(line.shift),
    nextDue: () => firstCurrent(() => due.take(clock.now())),
    dueAt() {
      // What is void by now would wake a waiter for nothing.
      while (due.first() && !isCurrent(due.first()!)) due.take(due.next());
      return due.next();
    },
    live: () => [...slots.values()].filter((slot) => !isExpired(slot)),
  };
}
