import type { Clock } from '../../../../infra/develop/local/aws/clock.ts';

/** A fake clock for tests. Its time changes only by `advance`. */
export type ManualClock = Clock & {
  /** Advances the time. The code after each due wait runs before the next wait resolves. */
  advance(milliseconds: number): Promise<void>;
  /** Returns the number of waits that have not resolved yet. */
  waiting(): number;
};

/** Creates a fake clock that starts at an ISO 8601 time. */
export function createManualClock(start = '2026-01-05T12:00:00Z'): ManualClock {
  let now = Date.parse(start);
  const waiters = new Set<{ at: number; wake(): void }>();
  const nextBy = (end: number) => [...waiters].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    waiting: () => waiters.size,
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          waiters.delete(waiter);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const waiter = { at: now + milliseconds, wake };
        waiters.add(waiter);
        signal?.addEventListener('abort', wake);
      }),
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (let waiter = nextBy(end); waiter; waiter = nextBy(end)) {
        now = Math.max(now, waiter.at);
        waiter.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = end;
    },
  };
}
