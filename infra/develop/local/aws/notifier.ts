import type { Clock } from './clock.ts';

/** Wakes everything that waits for a change. */
export type Notifier = {
  notify(): void;
  /** Resolves at the next change, when the milliseconds have passed or when the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Makes a notifier whose waits end by this clock. */
export function createNotifier(clock: Clock): Notifier {
  const waiters = new Set<AbortController>();
  return {
    notify() {
      // With a reason: without one an error is made, which nobody looks at.
      for (const waiter of waiters) waiter.abort('changed');
    },
    async wait(milliseconds, signal) {
      if (signal?.aborted) return;
      const woken = new AbortController();
      // AbortSignal.any would leave something behind on a signal that lives as long as the stage, at every wait.
      const wake = () => woken.abort('stopped');
      signal?.addEventListener('abort', wake);
      waiters.add(woken);
      await clock.wait(milliseconds, woken.signal);
      waiters.delete(woken);
      signal?.removeEventListener('abort', wake);
    },
  };
}
