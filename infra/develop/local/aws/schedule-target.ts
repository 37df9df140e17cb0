import { targetOf } from './arns.ts';
import type { Clock } from './clock.ts';
import type { Invoke } from './invoke-function.ts';
import type { Queues } from './queues.ts';
import type { Schedule } from './schedule.ts';

/** One run of a schedule: the scheduled time in epoch milliseconds, and a unique id. */
type Run = { scheduledAt: number; executionId: string };
type Dependencies = {
  queues: Queues;
  invoke: Invoke;
  clock: Clock;
  retrySeconds?: number;
  signal: AbortSignal;
};

// Number of times that Lambda retries a failed asynchronous invocation.
const maxRetries = 2;

/** After the last failure, sends the input to the dead-letter queue and throws. */
export async function callTarget(
  schedule: Schedule,
  run: Run,
  { queues, invoke, clock, retrySeconds = 1, signal }: Dependencies,
): Promise<void> {
  const { Target } = schedule.input;
  for (let attempt = 1; ; attempt++) {
    const input = targetInput(schedule, run, attempt);
    try {
      return await deliver(schedule, input, invoke);
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

async function deliver(schedule: Schedule, input: string, invoke: Invoke): Promise<void> {
  const { Arn } = schedule.input.Target;
  const { service, name } = targetOf(Arn);
  if (service !== 'lambda') throw new Error(`the local stage has no target ${Arn}`);
  await invoke(name, JSON.parse(input));
}

/** Replaces placeholders such as `<aws.scheduler.scheduled-time>` with this run's values. */
function targetInput({ arn, input }: Schedule, { scheduledAt, executionId }: Run, attempt: number): string {
  const time = new Date(scheduledAt).toISOString().replace(/\.\d+Z$/, 'Z');
  return input.Target.Input.replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', String(attempt));
}
