import { randomUUID } from 'node:crypto';
import { targetOf } from './arns.ts';
import type { Clock } from './clock.ts';
import type { Queues } from './queues.ts';
import type { Schedule } from './schedule.ts';

/** Runs a function of the stage by its name with an input; rejects if the function does. */
export type Invoke = (functionName: string, input: unknown) => Promise<unknown>;

type Dependencies = { queues: Queues; invoke: Invoke; clock: Clock; signal: AbortSignal };

// As Lambda repeats an asynchronous invocation that failed.
const mostRetries = 2;

/**
 * Calls a schedule's target for the run at `scheduledAt`, and again after a failure, twice at most. What still fails goes to the target's dead-letter queue, if it has one, and is thrown.
 */
export async function callTarget(
  schedule: Schedule,
  scheduledAt: number,
  { queues, invoke, clock, signal }: Dependencies,
): Promise<void> {
  const { Target } = schedule.input;
  const executionId = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const input = targetInput(schedule, scheduledAt, { executionId, attempt });
    try {
      return await deliver(schedule, input, { queues, invoke });
    } catch (error) {
      if (attempt <= mostRetries && !signal.aborted) {
        await clock.wait(attempt * 1000, signal);
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
function targetInput(
  { arn, input }: Schedule,
  scheduledAt: number,
  { executionId, attempt }: { executionId: string; attempt: number },
): string {
  const time = new Date(scheduledAt).toISOString().replace(/\.\d+Z$/, 'Z');
  return input.Target.Input.replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', String(attempt));
}
