/** The event queue of the simulation and its virtual clock, which jumps from one event to the next. */
import type { Clock } from '../../infra/develop/local/aws/clock.ts';
import { createDueList } from '../../infra/develop/local/aws/due.ts';
import type { Random } from '../support/random.ts';

/** The virtual clock and event queue. Times are epoch milliseconds. */
export type Timeline = Clock & {
  /**
   * Schedules a callback. Callbacks for the same time run in random order. Returns a function that cancels
   * the callback.
   */
  after(milliseconds: number, callback: () => void): Cancel;
  /** Runs events and their promise callbacks up to a time. Returns false if stopped after `maxEvents` events. */
  runUntil(time: number, maxEvents?: number): Promise<boolean>;
};

/** Cancels an event. Does nothing if the event has already run. */
export type Cancel = () => void;

export function createTimeline(start: number, random: Random): Timeline {
  const due = createDueList<{ callback: (() => void) | undefined }>();
  let time = start;
  const after = (milliseconds: number, callback: () => void): Cancel => {
    const event = { callback: callback as (() => void) | undefined };
    // Delays each event by a random time below 1/16 ms, so that events of the same time run in random order.
    due.add(time + Math.max(0, milliseconds) + random.next() / 16, event);
    return () => {
      event.callback = undefined;
    };
  };
  return {
    now: () => Math.floor(time),
    after,
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
          cancel();
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const cancel = milliseconds === Number.POSITIVE_INFINITY ? () => {} : after(milliseconds, end);
        signal?.addEventListener('abort', end);
      }),
    async runUntil(end, maxEvents = Infinity) {
      for (let count = 0; due.next() <= end; count++) {
        if (count > maxEvents) return false;
        time = Math.max(time, due.next());
        const event = due.take(time)!;
        if (!event.callback) continue;
        event.callback();
        await promiseCallbacks();
      }
      time = Math.max(time, end);
      return true;
    },
  };
}

/** Resolves when all pending promise callbacks and `nextTick` callbacks have run. */
const promiseCallbacks = () => new Promise<void>((resolve) => setImmediate(resolve));
