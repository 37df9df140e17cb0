/** Many credits of one user at once. */
import { randomUUID } from 'node:crypto';
import { byWire } from '../wire.ts';
import { callerOf, creditEvent } from './requests.ts';
import type { Side, State } from './sides.ts';

/**
 * How often each status was answered, how long the last one took, how many calls went to DynamoDB, and what
 * came of it.
 */
export type AtOnce = {
  side: string;
  keys: string;
  statuses: Map<number, number>;
  ms: number;
  calls: number;
  state: State;
};

export const many = 50;

/** Credits a user of a side many times at once, each with a key of its own or all with one. */
export async function creditAtOnce(side: Side, keys: 'distinct' | 'same'): Promise<AtOnce> {
  const timed = await run(side, keys);
  const calls = await byWire(async (wire) => {
    await run(side, keys);
    return wire.taken().calls.length;
  });
  return { side: side.name, keys, ...timed, calls };
}

/** The same without counting calls: the answers, the time until the last of them, and what is stored. */
export async function run(side: Side, keys: 'distinct' | 'same') {
  const call = callerOf(side);
  // What a copy of the bundle does only once is not to be part of it.
  await call(creditEvent(await side.makeUser()));
  const userId = await side.makeUser();
  const key = randomUUID();
  const events = Array.from({ length: many }, () =>
    creditEvent(userId, keys === 'same' ? key : randomUUID()),
  );
  const started = performance.now();
  const answers = await Promise.all(events.map(call));
  const ms = performance.now() - started;
  const statuses = new Map<number, number>();
  for (const { statusCode } of answers) statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  return { statuses, ms, state: await side.stateOf(userId) };
}
