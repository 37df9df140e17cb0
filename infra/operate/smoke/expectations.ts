import { isDeepStrictEqual } from 'node:util';
import { IncentivesError } from '../../../shared/client/client.ts';

/** Throws an Error with both values if `found` is not `expected`. */
export function expectSame(subject: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${subject} is ${textOf(found)}, expected ${textOf(expected)}`);
}

/** Throws an Error unless the response is a refusal with this status and code. */
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

const textOf = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
