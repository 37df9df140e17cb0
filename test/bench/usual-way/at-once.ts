/**
 * Sends concurrent credits for one user. Transaction conflicts are not measured, because DynamoDB Local reports none.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { scaled } from '../row.ts';
import { byWire } from '../wire.ts';
import { callerOf, creditEvent } from './requests.ts';
import { type Side, type State, sides } from './sides.ts';

type Keys = 'distinct' | 'same';
/**
 * Result of `count` concurrent credits: responses by status and the user's state after the last run, the milliseconds
 * of each run, and the DynamoDB calls of another run.
 */
export type AtOnce = {
  side: string;
  keys: Keys;
  count: number;
  statuses: Map<number, number>;
  ms: number[];
  calls: number;
  state: State;
};

const many = 50;
const runs = 3;
/** The service's `Retry-After` of a 503. */
const retryAfterMs = 1000;
let sending: Promise<AtOnce[]> | undefined;

/** Sends concurrent credits with different idempotency keys, then with one, to both implementations in turn. */
export function concurrentCredits(size: number): Promise<AtOnce[]> {
  sending ??= creditAll(size);
  return sending;
}

async function creditAll(size: number): Promise<AtOnce[]> {
  const { ours, usual } = await sides();
  const count = scaled(many, size, 2);
  const all: AtOnce[] = [];
  for (const keys of ['distinct', 'same'] as const) {
    const both = [ours, usual].map((side) => ({ side, done: [] as Run[] }));
    for (let turn = 0; turn < scaled(keys === 'same' ? 1 : runs, size); turn++)
      for (const { side, done } of both) done.push(await run(side, keys, count));
    for (const { side, done } of both) {
      const { statuses, state } = done.at(-1)!;
      const calls = await byWire(async (wire) => {
        await run(side, keys, count);
        return wire.taken().calls.length;
      });
      all.push({ side: side.name, keys, count, statuses, state, ms: done.map(({ ms }) => ms), calls });
    }
  }
  return all;
}

type Run = Pick<AtOnce, 'statuses' | 'state'> & { ms: number };

/** Sends `count` credits for one new user at once, and repeats each after a 503, as a host does. */
async function run(side: Side, keys: Keys, count: number): Promise<Run> {
  const call = callerOf(side);
  // Sends one credit first, so that the one-time work of a new instance is not measured.
  await call(creditEvent(await side.makeUser()));
  const userId = await side.makeUser();
  const key = randomUUID();
  const statuses = new Map<number, number>();
  const ask = async (event: unknown): Promise<void> => {
    const { statusCode } = await call(event);
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    if (statusCode !== 503) return;
    await setTimeout(retryAfterMs);
    return ask(event);
  };
  const events = Array.from({ length: count }, () =>
    creditEvent(userId, keys === 'same' ? key : randomUUID()),
  );
  const started = performance.now();
  await Promise.all(events.map(ask));
  const ms = performance.now() - started;
  return { statuses, ms, state: await side.stateOf(userId) };
}
