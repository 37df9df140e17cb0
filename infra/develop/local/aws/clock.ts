/** Time as the local stage sees it: epoch milliseconds, and a way to let them pass. */
export type Clock = {
  now(): number;
  /** Resolves after that many milliseconds, or at once when the signal aborts; never rejects. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

// setTimeout fires at once for anything longer than 2^31 - 1 ms.
const longestTimeout = 2 ** 31 - 1;

/** The machine's own time. A wait longer than 24 days ends early, so look at `now()` after it. */
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

/** What a call comes to, or a rejection with `late` if its time is over first. */
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
    // A reason is no error, which is costly to make.
    ended.abort('over');
  }
}
