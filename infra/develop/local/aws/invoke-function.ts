import type { Context } from 'aws-lambda';
import { type Clock, systemClock, withTimeout } from './clock.ts';

/** Invokes a function by its name. Rejects if the function fails or times out. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

export type LambdaFunction<Event = unknown> = {
  name: string;
  handler: (event: Event, context: Context) => unknown;
  timeoutSeconds?: number | undefined;
};

/** Rejects if the handler throws or times out. */
export async function invokeFunction<Event>(
  { name, handler, timeoutSeconds = 30 }: LambdaFunction<Event>,
  event: Event,
  { requestId, clock = systemClock }: { requestId: string; clock?: Clock },
): Promise<unknown> {
  const deadline = clock.now() + timeoutSeconds * 1000;
  const remaining = () => Math.max(0, deadline - clock.now());
  const answer = (async () => handler(event, lambdaContext(name, requestId, remaining)))();
  const late = new Error(`${name} timed out after ${timeoutSeconds} seconds`);
  return withTimeout(clock, timeoutSeconds * 1000, answer, late);
}

/** Returns only fields that handlers read. `remaining` returns the milliseconds until the function times out. */
export function lambdaContext(name: string, requestId: string, remaining: () => number): Context {
  const context = { functionName: name, awsRequestId: requestId, getRemainingTimeInMillis: remaining };
  return context as Context;
}
