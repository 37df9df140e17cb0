import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { IncentivesError } from '../../../shared/client/client.ts';

/** Throws an Error that says what was found and what should have been, unless they are the same. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what} is ${textOf(found)}, and should be ${textOf(expected)}`);
}

/** Throws an Error unless a request is refused with this status and code. */
export async function expectRefusal(
  what: string,
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
  expectSame(`the answer to ${what}`, answer, `${status} ${code}`);
}

const patienceMs = 60_000;
const restMs = 500;

/** Looks every half second until something is there, for a minute. Throws an Error that says what is not. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await setTimeout(restMs)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} is not there after ${patienceMs / 1000} s`);
}

const textOf = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
