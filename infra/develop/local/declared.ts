import type { Environment } from '../../../shared/environment.ts';
import {
  deadLetterQueueName,
  queues,
  retentionDays,
  schedules,
  streamFilter,
  type Worker,
  type WorkerSource,
  workers,
} from '../../deploy/workers.ts';
import { accountId, functionArn, queueArn } from './aws/arns.ts';
import type { Clock } from './aws/clock.ts';
import type { Invoke } from './aws/invoke-function.ts';
import type { QueueDeclaration } from './aws/queue.ts';
import { type EventSource, pollQueue } from './aws/queue-source.ts';
import type { Queues } from './aws/queues.ts';
import type { ScheduleDeclaration } from './aws/schedule.ts';
import { pollStream, type StreamReader } from './aws/stream-source.ts';

const retentionOf = (kind: keyof typeof retentionDays) => retentionDays[kind] * 86_400;

export function declaredQueues(): QueueDeclaration[] {
  const own = Object.entries(queues).map(([name, { visibilityTimeoutSeconds, maxReceives }]) => ({
    name,
    visibilityTimeoutSeconds,
    maxReceiveCount: maxReceives,
    deadLetterQueue: deadLetterQueueName(name),
    retentionSeconds: retentionOf('queue'),
  }));
  const withDeadLetters = [
    ...Object.keys(queues),
    ...workers.flatMap(({ name, source }) => ('queue' in source ? [] : name)),
  ];
  const deadLetters = withDeadLetters.map((name) => ({
    name: deadLetterQueueName(name),
    retentionSeconds: retentionOf('deadLetters'),
  }));
  return [...own, ...deadLetters];
}

export function declaredSchedules(): ScheduleDeclaration[] {
  return workers.flatMap(({ name, source }) => {
    if (!('schedules' in source)) return [];
    const Target = {
      Arn: functionArn(name),
      Input: '{"now":"<aws.scheduler.scheduled-time>"}',
      DeadLetterConfig: { Arn: queueArn(deadLetterQueueName(name)) },
    };
    return source.schedules.map((schedule) => {
      const { expression, timezone } = schedules[schedule]!;
      return { name: schedule, ScheduleExpression: expression, ScheduleExpressionTimezone: timezone, Target };
    });
  });
}

const { name: scheduledOnce } = workers.find(({ source }) => 'oneTimeSchedules' in source)!;

export const scheduleVariables = {
  SCHEDULE_GROUP: 'default',
  SCHEDULE_ROLE_ARN: `arn:aws:iam::${accountId}:role/schedules`,
  SCHEDULE_TARGET_ARN: functionArn(scheduledOnce),
  SCHEDULE_DEAD_LETTER_ARN: queueArn(deadLetterQueueName(scheduledOnce)),
} satisfies Environment;

/** Called when an invocation of a worker has failed or could not be made. */
export type OnWorkerFailure = (worker: string, error: unknown) => void;

type Options = {
  queues: Queues;
  stream: { arn: string; reader: StreamReader };
  invoke: Invoke;
  failed: OnWorkerFailure;
  clock: Clock;
  /** Settings for the workers on the table's stream, which replace the settings in `workers.ts`. */
  overrides?: Partial<Pick<Parameters<typeof pollStream>[0], Overridable>>;
};
type Overridable = 'batchWindowSeconds' | 'parallelPerShard' | 'startingPosition';

/** Starts the event sources on queues and on the table's stream, which invoke the workers. */
export function startEventSources(options: Options): EventSource[] {
  return workers.flatMap((worker) => {
    const { source } = worker;
    if ('queue' in source) return [queueSource(worker, source, options)];
    return 'stream' in source ? [streamSource(worker, source, options)] : [];
  });
}

type SourceOf<K extends string> = Extract<WorkerSource, { [key in K]: unknown }>;

function queueSource(
  { name }: Worker,
  source: SourceOf<'queue'>,
  { queues, invoke, failed, clock }: Options,
) {
  return pollQueue({
    queue: queues.get(source.queue),
    invoke: (event) => invoke(name, event),
    batchSize: source.batchSize,
    batchWindowSeconds: source.batchWindowSeconds,
    concurrency: source.maxConcurrency,
    clock,
    onError: (error) => failed(name, error),
  });
}

function streamSource({ name }: Worker, source: SourceOf<'stream'>, options: Options): EventSource {
  const { queues, stream, invoke, failed, clock, overrides } = options;
  const deadLetters = queues.get(deadLetterQueueName(name));
  return pollStream({
    reader: stream.reader,
    streamArn: stream.arn,
    invoke: (event) => invoke(name, event),
    batchSize: source.batchSize,
    batchWindowSeconds: source.batchWindowSeconds,
    parallelPerShard: source.parallelPerShard,
    maximumRetryAttempts: source.retries,
    filter: streamFilter,
    clock,
    onFailure: (body) => deadLetters.send({ body }),
    onError: (error) => failed(name, error),
    ...overrides,
  });
}
