import { setTimeout as wait } from 'node:timers/promises';

/** For how long a request is sent again: what is refused for now any longer is not for now. */
const patienceMs = 60_000;
const repeatable = ['too_many_requests', 'unavailable', 'outcome_unknown', 'accepted_repeat_to_collect'];

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
type Answered = { status: number; headers: Headers | Record<string, unknown>; body: any };

/**
 * Sends a request as a host has to: the same one again, with the same key, while the answer is a 429 or 503 of the
 * contract with `Retry-After`, for up to a minute. Returns the last answer, and how often the request was sent.
 */
export async function untilAnswered<A extends Answered>(
  send: () => Promise<A>,
): Promise<A & { sent: number }> {
  const deadline = performance.now() + patienceMs;
  for (let sent = 1; ; sent++) {
    const answer = await send();
    const seconds = secondsToWait(answer);
    if (seconds === undefined || performance.now() > deadline) return { ...answer, sent };
    // Of many that are refused at once, not all should come back at once.
    await wait(1000 * seconds * (1 + Math.random()));
  }
}

function secondsToWait({ status, headers, body }: Answered): number | undefined {
  if ((status !== 429 && status !== 503) || !repeatable.includes(body?.code)) return undefined;
  const told = headers instanceof Headers ? headers.get('retry-after') : headers['retry-after'];
  return /^\d+$/.test(String(told)) ? Number(told) : undefined;
}
