// Not the globals: a wait that begins while a test has replaced them would never end.
import { clearTimeout, setTimeout } from 'node:timers';

/** Times are epoch milliseconds. */
export type Clock = {
  now(): number;
  /** Resolves after the delay, or immediately when the signal aborts. Never rejects. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

// Longest delay of Node's `setTimeout` (24.8 days). With a longer delay, the timer would fire immediately.
const maxTimeoutMs = 2 ** 31 - 1;

/** A wait of more than 24.8 days ends early, so callers must check `now()` again. */
export const systemClock: Clock = {
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, Math.min(milliseconds, maxTimeoutMs)));
      signal?.addEventListener('abort', done);
    }),
};

/** Rejects with `late` if `call` takes longer than `milliseconds`. */
export async function withTimeout<T>(
  clock: Clock,
  milliseconds: number,
  call: Promise<T>,
  late: Error,
): Promise<T> {
  const ended = new AbortController();
  const limit = clock.wait(milliseconds, ended.signal).then(() => {
    if (!ended.signal.aborted) throw late;
    return call;
  });
  try {
    return await Promise.race([call, limit]);
  } finally {
    // Aborts the timer with a string as the reason, because creating the default Error is slow.
    ended.abort('over');
  }
}
