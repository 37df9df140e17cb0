import { parseArn } from './arns.ts';
import type { Clock } from './clock.ts';
import type { Invoke } from './invoke-function.ts';
import type { Queues } from './queues.ts';
import type { Schedule } from './schedule.ts';

type Dependencies = {
  queues: Queues;
  invoke: Invoke;
  clock: Clock;
  retrySeconds?: number;
  signal: AbortSignal;
};

// Number of times that Lambda retries a failed asynchronous invocation.
const maxRetries = 2;

/** Invokes a schedule's target up to three times. Then sends the input to the dead-letter queue and throws. */
export async function invokeTarget(
  schedule: Schedule,
  scheduledAtMs: number,
  { queues, invoke, clock, retrySeconds = 1, signal }: Dependencies,
): Promise<void> {
  const { Target } = schedule.input;
  const time = new Date(scheduledAtMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const input = Target.Input.replaceAll('<aws.scheduler.scheduled-time>', time);
  for (let attempt = 1; ; attempt++) {
    try {
      await invoke(parseArn(Target.Arn).name, JSON.parse(input));
      return;
    } catch (error) {
      if (attempt <= maxRetries && !signal.aborted) {
        await clock.wait(attempt * retrySeconds * 1000, signal);
        continue;
      }
      const deadLetters = Target.DeadLetterConfig?.Arn;
      if (deadLetters) queues.byArn(deadLetters).send({ body: input });
      throw error;
    }
  }
}
