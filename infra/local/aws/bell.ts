import type { Clock } from './clock.ts';

/** A bell that wakes everybody who waits for it. */
export type Bell = {
  ring(): void;
  /** Resolves when the bell rings, the milliseconds have passed or the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Makes a bell whose waits end by this clock. */
export function createBell(clock: Clock): Bell {
  const waiters = new Set<AbortController>();
  return {
    ring() {
      for (const waiter of waiters) waiter.abort();
    },
    async wait(milliseconds, signal) {
      if (signal?.aborted) return;
      const woken = new AbortController();
      // AbortSignal.any would leave something behind on a signal that lives as long as the stage, at every wait.
      const wake = () => woken.abort();
      signal?.addEventListener('abort', wake);
      waiters.add(woken);
      await clock.wait(milliseconds, woken.signal);
      waiters.delete(woken);
      signal?.removeEventListener('abort', wake);
    },
  };
}
