import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { functionArn } from './arns.ts';
import { type Clock, systemClock } from './clock.ts';

/** A Lambda handler whose result is what its promise resolves to. */
export type FunctionHandler<Event = unknown, Result = unknown> = (
  event: Event,
  context: Context,
  callback: () => void,
) => Result | Promise<Result>;

/** A function as it is deployed: its name, handler and time limit (30 s by default). */
export type LambdaFunction<Event = unknown, Result = unknown> = {
  name: string;
  handler: FunctionHandler<Event, Result>;
  timeoutSeconds?: number | undefined;
};

/**
 * Calls a handler as Lambda does, with a context that counts down. Rejects with what the handler throws, or when
 * its time is up; unlike on Lambda, a handler that ran out of time goes on in the background.
 */
export async function invokeFunction<Event, Result>(
  { name, handler, timeoutSeconds = 30 }: LambdaFunction<Event, Result>,
  event: Event,
  clock: Clock = systemClock,
): Promise<Result> {
  const deadline = clock.now() + timeoutSeconds * 1000;
  const answered = new AbortController();
  const timeout = clock.wait(timeoutSeconds * 1000, answered.signal).then(() => {
    if (!answered.signal.aborted) throw new Error(`${name} timed out after ${timeoutSeconds} seconds`);
  });
  const answer = (async () => handler(event, contextOf(name, deadline, clock), () => {}))();
  try {
    return await Promise.race([answer, timeout.then(() => answer)]);
  } finally {
    answered.abort();
  }
}

function contextOf(name: string, deadline: number, clock: Clock): Context {
  const unsupported = () => {
    throw new Error('answer by the promise of the handler');
  };
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn(name),
    memoryLimitInMB: '1024',
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
}
