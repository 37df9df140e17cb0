/** Time in the world: it stands still while anything happens, and jumps to what happens next. */
import type { Clock } from '../../infra/develop/local/aws/clock.ts';
import { createDueList } from '../../infra/develop/local/aws/due.ts';
import type { Random } from './random.ts';

/** Virtual time, in epoch milliseconds. */
export type Timeline = Clock & {
  /** Does something after a while, unless it is called off. What is due at one time happens in an order of chance. */
  after(milliseconds: number, happen: () => void): Cancel;
  /**
   * Lets all happen that is due up to a time, one thing after the other, each with all that follows from it at once.
   * False if there is more of it than `most`: then some of it is left.
   */
  runUntil(time: number, most?: number): Promise<boolean>;
};

/** Calls something off that has not happened yet. */
export type Cancel = () => void;

/** Makes a timeline that begins at a time. */
export function createTimeline(start: number, random: Random): Timeline {
  const due = createDueList<{ happen: (() => void) | undefined }>();
  let time = start;
  const after = (milliseconds: number, happen: () => void): Cancel => {
    const event = { happen: happen as (() => void) | undefined };
    // A little chance puts what is due at one time in order.
    due.add(time + Math.max(0, milliseconds) + random.next() / 16, event);
    return () => {
      event.happen = undefined;
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
    async runUntil(end, most = Infinity) {
      for (let count = 0; due.next() <= end; count++) {
        if (count > most) return false;
        time = Math.max(time, due.next());
        const event = due.take(time)!;
        if (!event.happen) continue;
        event.happen();
        await allThatFollows();
      }
      time = Math.max(time, end);
      return true;
    },
  };
}

/** Resolves when nothing more follows without the passing of time: all promises and ticks are done. */
const allThatFollows = () => new Promise<void>((resolve) => setImmediate(resolve));
