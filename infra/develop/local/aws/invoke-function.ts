import type { Context } from 'aws-lambda';
import { functionArn } from './arns.ts';
import { type Clock, systemClock, within } from './clock.ts';

/** Runs a Lambda function by its name with an event; rejects if it fails or runs out of time. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

/** A function as it is deployed: its name, handler and time limit (30 s by default). */
export type LambdaFunction<Event = unknown> = {
  name: string;
  /** Its result is what its promise resolves to. */
  handler: (event: Event, context: Context) => unknown;
  timeoutSeconds?: number | undefined;
};

/**
 * Calls a handler as Lambda does, with a context that counts down. Rejects with what the handler throws, or when
 * its time is up; unlike on Lambda, a handler that ran out of time goes on in the background.
 */
export async function invokeFunction<Event>(
  { name, handler, timeoutSeconds = 30 }: LambdaFunction<Event>,
  event: Event,
  { requestId, clock = systemClock }: { requestId: string; clock?: Clock },
): Promise<unknown> {
  const deadline = clock.now() + timeoutSeconds * 1000;
  const remaining = () => Math.max(0, deadline - clock.now());
  const answer = (async () => handler(event, lambdaContext(name, requestId, remaining)))();
  const late = new Error(`${name} timed out after ${timeoutSeconds} seconds`);
  return within(clock, timeoutSeconds * 1000, answer, late);
}

/** The context with which Lambda calls a handler; `remaining` says how many milliseconds it still has. */
export function lambdaContext(name: string, requestId: string, remaining: () => number): Context {
  const unsupported = () => {
    throw new Error('answer by the promise of the handler');
  };
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn(name),
    memoryLimitInMB: '1024',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: remaining,
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
}
