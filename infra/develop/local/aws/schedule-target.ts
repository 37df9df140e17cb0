import { targetOf } from './arns.ts';
import type { Clock } from './clock.ts';
import type { Invoke } from './invoke-function.ts';
import type { Queues } from './queues.ts';
import type { Schedule } from './schedule.ts';

/** One run of a schedule: the time that it is for, as epoch milliseconds, and what tells it from other runs. */
type Run = { scheduledAt: number; executionId: string };
type Dependencies = {
  queues: Queues;
  invoke: Invoke;
  clock: Clock;
  retrySeconds?: number;
  signal: AbortSignal;
};

// As Lambda repeats an asynchronous invocation that failed.
const mostRetries = 2;

/**
 * Calls a schedule's target for a run, and again after a failure, twice at most. What still fails goes to the target's
 * dead-letter queue, if it has one, and is thrown.
 */
export async function callTarget(
  schedule: Schedule,
  run: Run,
  { queues, invoke, clock, retrySeconds = 1, signal }: Dependencies,
): Promise<void> {
  const { Target } = schedule.input;
  for (let attempt = 1; ; attempt++) {
    const input = targetInput(schedule, run, attempt);
    try {
      return await deliver(schedule, input, { queues, invoke });
    } catch (error) {
      if (attempt <= mostRetries && !signal.aborted) {
        await clock.wait(attempt * retrySeconds * 1000, signal);
        continue;
      }
      const deadLetters = Target.DeadLetterConfig?.Arn;
      if (deadLetters) queues.byArn(deadLetters).send({ body: input });
      throw error;
    }
  }
}

async function deliver(
  schedule: Schedule,
  input: string,
  { queues, invoke }: Pick<Dependencies, 'queues' | 'invoke'>,
): Promise<void> {
  const { Arn } = schedule.input.Target;
  const { service, name } = targetOf(Arn);
  if (service === 'sqs') queues.get(name).send({ body: input });
  else if (service === 'lambda') await invoke(name, JSON.parse(input));
  else throw new Error(`the local stage has no target ${Arn}`);
}

/** The input with its context attributes filled in. */
function targetInput({ arn, input }: Schedule, { scheduledAt, executionId }: Run, attempt: number): string {
  const time = new Date(scheduledAt).toISOString().replace(/\.\d+Z$/, 'Z');
  return input.Target.Input.replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', String(attempt));
}
