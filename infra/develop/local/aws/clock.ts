/** The local stage's clock, which tests can replace. Times are epoch milliseconds. */
export type Clock = {
  now(): number;
  /** Resolves after the delay, or at once when the signal aborts. Never rejects. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

// `setTimeout` fires immediately if the delay is longer than 2^31 - 1 ms (24.8 days).
const longestTimeout = 2 ** 31 - 1;

/** The system clock. Waits of more than 24 days end early, so callers check `now()` again. */
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
      const timer = setTimeout(done, Math.max(0, Math.min(milliseconds, longestTimeout)));
      signal?.addEventListener('abort', done);
    }),
};

/** Returns the result of a call. Rejects with `late` if the call takes longer. */
export async function within<T>(
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
    // Aborts with a string, because creating the default Error is slow.
    ended.abort('over');
  }
}
