const timeoutMs = 60_000;
const pollMs = 500;

/** Calls `poll` every half second until `poll` returns a value. Throws an Error after a minute. */
export async function eventually<T>(goal: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (
    const end = performance.now() + timeoutMs;
    performance.now() < end;
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  ) {
    const found = await poll();
    if (found !== undefined) return found;
  }
  throw new Error(`${goal} is still missing after ${timeoutMs / 1000} s`);
}
