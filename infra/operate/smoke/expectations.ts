import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { IncentivesError } from '../../../shared/client/client.ts';

/** Compares two values. If they differ, throws an Error with both values. */
export function expectSame(subject: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${subject} is ${textOf(found)}, expected ${textOf(expected)}`);
}

/** Waits for a response. Throws an Error unless the response is a refusal with this status and code. */
export async function expectRefusal(
  subject: string,
  sent: Promise<unknown>,
  status: number,
  code: IncentivesError['code'],
): Promise<void> {
  const answer = await sent.then(
    () => 'a success',
    (error: unknown) => {
      if (error instanceof IncentivesError && error.status !== undefined)
        return `${error.status} ${error.code}`;
      throw error;
    },
  );
  expectSame(`the response to ${subject}`, answer, `${status} ${code}`);
}

const timeoutMs = 60_000;
const pollMs = 500;

/** Calls `poll` every half second until `poll` returns a value. Throws an Error after a minute. */
export async function eventually<T>(goal: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await setTimeout(pollMs)) {
    const found = await poll();
    if (found !== undefined) return found;
  }
  throw new Error(`${goal} is still missing after ${timeoutMs / 1000} s`);
}

const textOf = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
