import type { Clock } from './clock.ts';

/** Wakes all callers of `wait` when `notify` is called. */
export type Notifier = {
  notify(): void;
  /** Resolves at the next `notify`, after the delay, or when the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** `clock` measures the delays of `wait`. */
export function createNotifier(clock: Clock): Notifier {
  const waiters = new Set<AbortController>();
  return {
    notify() {
      // Aborts the waiters with a string as the reason, because creating the default Error is slow.
      for (const waiter of waiters) waiter.abort('changed');
    },
    async wait(milliseconds, signal) {
      if (signal?.aborted) return;
      const woken = new AbortController();
      // Avoids `AbortSignal.any`: each call would leak memory until the stage stops, because `signal` lives that long.
      const wake = () => woken.abort('stopped');
      signal?.addEventListener('abort', wake);
      waiters.add(woken);
      await clock.wait(milliseconds, woken.signal);
      waiters.delete(woken);
      signal?.removeEventListener('abort', wake);
    },
  };
}
