import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type Environment, type QueueName, queueVariables } from '../../shared/environment.ts';
import {
  deadLetterQueueOf,
  queues,
  type Source,
  schedules,
  streamFilter,
  type Worker,
  workers,
} from '../workers.ts';
import { accountId, functionArn, queueArn } from './aws/arns.ts';
import { systemClock } from './aws/clock.ts';
import { type AwsEndpoint, startAwsEndpoint } from './aws/endpoint.ts';
import { startKms } from './aws/kms.ts';
import { type EventSource, pollQueue } from './aws/queue-source.ts';
import { defaultGroup } from './aws/schedule.ts';
import { pollStream } from './aws/stream-source.ts';
import type { Invoke } from './gateway.ts';

/** All of the local stage that runs without an HTTP request to the API. */
export type Background = {
  /** The variables in which functions find queues, schedules and the key. */
  environment: Record<string, string>;
  aws: AwsEndpoint;
  /** Begins to hand events to the workers; the table has to be there. */
  start: (table: { name: string; kept: boolean }) => Promise<void>;
  stop: () => Promise<void>;
};

/** Told of every call of a worker that failed, or could not be made. */
export type WorkerFailed = (worker: string, error: unknown) => void;

/** Starts what stands in for SQS, Scheduler and KMS, with the queues and schedules that `workers.ts` declares. */
export async function startBackground(invoke: Invoke, failed: WorkerFailed): Promise<Background> {
  const kms = await startKms();
  const ready = Promise.withResolvers<boolean>();
  const aws = await startAwsEndpoint({
    queues: [...declaredQueues(), ...streamDeadLetterQueues()],
    schedules: declaredSchedules(),
    // A schedule may be due at once, and its function finds neither table nor queues before the start.
    invoke: async (name, input) => ((await ready.promise) ? invoke(name, input) : undefined),
    onScheduleError: (schedule, error) => failed(schedule.name, error),
  });
  const sources: EventSource[] = [];
  return {
    environment: { ...endpoints(aws.url, kms.url), ...queueAddresses(aws.url), KEY_ARN: kms.keyArn },
    aws,
    async start(table) {
      for (const worker of workers) {
        const source = await sourceOf(worker, { aws, invoke, failed, table });
        if (source) sources.push(source);
      }
      ready.resolve(true);
    },
    async stop() {
      ready.resolve(false);
      // A worker that is still at something has a moment to end it.
      const over = new AbortController();
      const stopped = Promise.all(sources.map((source) => source.stop()));
      await Promise.race([stopped, systemClock.wait(2000, over.signal)]);
      over.abort();
      await Promise.race([Promise.all([aws.close(), kms.close()]), systemClock.wait(1000)]);
    },
  };
}

function declaredQueues() {
  return Object.entries(queues).flatMap(([name, { visibilityTimeoutSeconds, maxReceives }]) => {
    const deadLetterQueue = deadLetterQueueOf(name);
    return [
      { name, visibilityTimeoutSeconds, maxReceiveCount: maxReceives, deadLetterQueue },
      { name: deadLetterQueue },
    ];
  });
}

const streamDeadLetterQueues = () =>
  workers.filter(({ source }) => 'stream' in source).map(({ name }) => ({ name: deadLetterQueueOf(name) }));

function declaredSchedules() {
  return workers.flatMap(({ name, source }) => {
    if (!('schedules' in source)) return [];
    const target = { Arn: functionArn(name), Input: '{"now":"<aws.scheduler.scheduled-time>"}' };
    return source.schedules.map((schedule) => {
      const { expression, timezone } = schedules[schedule]!;
      return { name: schedule, expression, timeZone: timezone, target };
    });
  });
}

const endpoints = (aws: string, kms: string) => ({
  AWS_ENDPOINT_URL_SQS: aws,
  AWS_ENDPOINT_URL_SCHEDULER: aws,
  AWS_ENDPOINT_URL_KMS: kms,
  SCHEDULE_GROUP: defaultGroup,
  SCHEDULE_ROLE_ARN: `arn:aws:iam::${accountId}:role/schedules`,
});

function queueAddresses(url: string): Environment {
  const pairs = Object.keys(queues).flatMap((name) => {
    const variables = queueVariables[name as QueueName];
    return [
      [variables.url, `${url}/${accountId}/${name}`],
      [variables.arn, queueArn(name)],
      [variables.deadLetterUrl, `${url}/${accountId}/${deadLetterQueueOf(name)}`],
      [variables.deadLetterArn, queueArn(deadLetterQueueOf(name))],
    ];
  });
  return Object.fromEntries(pairs);
}

type WorkerContext = {
  aws: AwsEndpoint;
  invoke: Invoke;
  failed: WorkerFailed;
  table: { name: string; kept: boolean };
};

async function sourceOf(worker: Worker, context: WorkerContext): Promise<EventSource | undefined> {
  const { source } = worker;
  if ('queue' in source) return queueSource(worker, source, context);
  if ('stream' in source) return streamSource(worker, source, context);
  return undefined;
}

const functionOf = ({ name, timeoutSeconds }: Worker, invoke: Invoke) => ({
  name,
  timeoutSeconds,
  handler: (event: unknown, context: unknown) => invoke(name, event, context),
});

type From<K extends string> = Extract<Source, { [key in K]: unknown }>;

function queueSource(
  worker: Worker,
  source: From<'queue'>,
  { aws, invoke, failed }: WorkerContext,
): EventSource {
  return pollQueue({
    queue: aws.queues.get(source.queue),
    function: functionOf(worker, invoke),
    batchSize: source.batchSize,
    ...(source.batchWindowSeconds !== undefined && { batchWindowSeconds: source.batchWindowSeconds }),
    concurrency: source.maxConcurrency,
    onError: (error) => failed(worker.name, error),
  });
}

async function streamSource(
  worker: Worker,
  source: From<'stream'>,
  { aws, invoke, failed, table }: WorkerContext,
): Promise<EventSource> {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName: table.name }));
  const deadLetters = aws.queues.get(deadLetterQueueOf(worker.name));
  return pollStream({
    // Streams are served by the same DynamoDB Local, and have an endpoint variable of another name.
    client: new DynamoDBStreamsClient({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB! }),
    streamArn: Table!.LatestStreamArn!,
    function: functionOf(worker, invoke),
    batchSize: source.batchSize,
    maximumRetryAttempts: source.retries,
    bisectOnError: true,
    filters: [streamFilter],
    // Of kept data, all of the last day would be told once more.
    startingPosition: table.kept ? 'LATEST' : 'TRIM_HORIZON',
    onFailure: (body) => deadLetters.send({ body }),
    onError: (error) => failed(worker.name, error),
  });
}
