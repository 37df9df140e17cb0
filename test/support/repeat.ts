import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds for which a request is retried. A refusal that lasts longer is not considered temporary. */
const patienceMs = 60_000;
const repeatable = ['too_many_requests', 'unavailable', 'outcome_unknown', 'accepted_repeat_to_collect'];

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
type Answered = { status: number; headers: Headers | Record<string, unknown>; body: any };

/**
 * Retries a request after 429 or 503 with `Retry-After` and a `repeatable` code, for up to a minute. Returns the last
 * response.
 */
export async function untilAnswered<A extends Answered>(
  send: () => Promise<A>,
): Promise<A & { sent: number }> {
  const deadline = performance.now() + patienceMs;
  for (let sent = 1; ; sent++) {
    const answer = await send();
    const seconds = secondsToWait(answer);
    if (seconds === undefined || performance.now() > deadline) return { ...answer, sent };
    // Adds jitter, so that requests that were refused at the same time are not repeated at the same time.
    await wait(1000 * seconds * (1 + Math.random()));
  }
}

function secondsToWait({ status, headers, body }: Answered): number | undefined {
  if ((status !== 429 && status !== 503) || !repeatable.includes(body?.code)) return undefined;
  const retryAfter = headers instanceof Headers ? headers.get('retry-after') : headers['retry-after'];
  return /^\d+$/.test(String(retryAfter)) ? Number(retryAfter) : undefined;
}
