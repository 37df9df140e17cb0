import { randomUUID } from 'node:crypto';
import { accountId, region, targetOf } from './arns.ts';
import type { Clock } from './clock.ts';
import type { Queues } from './queues.ts';
import type { Schedule } from './schedule.ts';

/** Runs a function of the stage by its name with an input; rejects if the function does. */
export type Invoke = (functionName: string, input: unknown) => Promise<unknown>;

type Surroundings = { queues: Queues; invoke: Invoke; clock: Clock; signal?: AbortSignal };

// Lambda repeats an asynchronous invocation that failed twice, whatever Scheduler's own policy allows.
const mostRetries = 2;

/**
 * Calls a schedule's target for the run at `scheduledAt`, and again after a failure, as often as its policy allows
 * but twice at most. What still fails goes to the target's dead-letter queue, if it has one, and is thrown.
 */
export async function callTarget(
  schedule: Schedule,
  scheduledAt: number,
  around: Surroundings,
): Promise<void> {
  const { Target } = schedule.input;
  const retries = Math.min(Target.RetryPolicy?.MaximumRetryAttempts ?? mostRetries, mostRetries);
  const executionId = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const input = targetInput(schedule, scheduledAt, { executionId, attempt });
    try {
      return await deliver(schedule, input, around);
    } catch (error) {
      if (attempt <= retries && !around.signal?.aborted) {
        await around.clock.wait(attempt * 1000, around.signal);
        continue;
      }
      const deadLetters = Target.DeadLetterConfig?.Arn;
      if (deadLetters) around.queues.byArn(deadLetters).send({ body: input });
      throw error;
    }
  }
}

async function deliver(schedule: Schedule, input: string, { queues, invoke }: Surroundings): Promise<void> {
  const { Arn, SqsParameters } = schedule.input.Target;
  const { service, name } = targetOf(Arn);
  if (service === 'sqs') queues.get(name).send({ body: input, groupId: SqsParameters?.MessageGroupId });
  else if (service === 'lambda') await invoke(name, JSON.parse(input));
  else throw new Error(`the local stage has no target ${Arn}`);
}

/** The input with its context attributes filled in, or the event that Scheduler makes up where there is none. */
function targetInput(
  { arn, input }: Schedule,
  scheduledAt: number,
  { executionId, attempt }: { executionId: string; attempt: number },
): string {
  const time = new Date(scheduledAt).toISOString().replace(/\.\d+Z$/, 'Z');
  if (input.Target.Input === undefined) {
    const event = {
      version: '0',
      id: executionId,
      source: 'aws.scheduler',
      account: accountId,
      time,
      region,
    };
    return JSON.stringify({ ...event, 'detail-type': 'Scheduled Event', resources: [arn], detail: '{}' });
  }
  return input.Target.Input.replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', String(attempt));
}
