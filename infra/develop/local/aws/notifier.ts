import type { Clock } from './clock.ts';

/** Wakes all waiting code when something changes. */
export type Notifier = {
  notify(): void;
  /** Resolves at the next change, after the delay, or when the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Creates a notifier whose delays use this clock. */
export function createNotifier(clock: Clock): Notifier {
  const waiters = new Set<AbortController>();
  return {
    notify() {
      // A reason avoids creating an Error, which nobody reads.
      for (const waiter of waiters) waiter.abort('changed');
    },
    async wait(milliseconds, signal) {
      if (signal?.aborted) return;
      const woken = new AbortController();
      // Not `AbortSignal.any`: each call would leak memory on the stage's signal, which lives until the stage
      // stops.
      const wake = () => woken.abort('stopped');
      signal?.addEventListener('abort', wake);
      waiters.add(woken);
      await clock.wait(milliseconds, woken.signal);
      waiters.delete(woken);
      signal?.removeEventListener('abort', wake);
    },
  };
}
