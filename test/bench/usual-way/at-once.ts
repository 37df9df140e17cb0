/**
 * Sends concurrent credits for one user. Transaction conflicts are not measured, because DynamoDB Local reports none.
 */
import { randomUUID } from 'node:crypto';
import { byWire } from '../wire.ts';
import { callerOf, creditEvent } from './requests.ts';
import type { Side, State } from './sides.ts';

/** Result of concurrent credits: responses by status, milliseconds, DynamoDB calls, and the user's stored state. */
export type AtOnce = {
  side: string;
  keys: string;
  statuses: Map<number, number>;
  ms: number;
  calls: number;
  state: State;
};

export const many = 50;

/** Sends 50 concurrent credits for one user. Their idempotency keys are either all distinct or all the same. */
export async function creditAtOnce(side: Side, keys: 'distinct' | 'same'): Promise<AtOnce> {
  const timed = await run(side, keys);
  const calls = await byWire(async (wire) => {
    await run(side, keys);
    return wire.taken().calls.length;
  });
  return { side: side.name, keys, ...timed, calls };
}

/** Sends 50 concurrent credits once, without counting DynamoDB calls. */
export async function run(side: Side, keys: 'distinct' | 'same') {
  const call = callerOf(side);
  // Sends one credit first, so that the one-time work of a new instance is not measured.
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
