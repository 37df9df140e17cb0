import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { QueueName } from '../../shared/api/route.ts';
import {
  keyVariable,
  type Queue,
  queues,
  queueVariables,
  schedules,
  scheduleVariables,
  type Worker,
  workers,
} from '../workers.ts';
import { functionArn, queueArn } from './arns.ts';
import { type AwsEndpoint, startAwsEndpoint } from './aws-endpoint.ts';
import type { LambdaFunction } from './invoke-function.ts';
import { invokeFunction } from './invoke-function.ts';
import type { QueueDeclaration } from './queue.ts';
import { type EventSource, pollQueue } from './queue-source.ts';
import { pollStream } from './stream-source.ts';

// biome-ignore lint/suspicious/noExplicitAny: each source brings events of its own kind
type Handler = (event: any, context: unknown) => Promise<any>;

/** Everything of the local stage that runs without an HTTP request. */
export type Background = {
  /** Fires a recurring schedule at once, as of a time in epoch milliseconds; false for one that there is not. */
  fire: (schedule: string, now: number) => Promise<boolean>;
  stop: () => Promise<void>;
};

/**
 * Starts what stands in for SQS and EventBridge Scheduler, tells the functions where it is, by the environment,
 * and feeds the workers from their queues, schedules and the table's stream.
 */
export async function startBackground({
  tableName,
  load,
}: {
  tableName: string;
  /** Loads a function's handler by its name. */
  load: (name: string) => Promise<Handler>;
}): Promise<Background> {
  const functions = new Map(workers.map((worker) => [lambdaName(worker.name), lambdaFunction(worker, load)]));
  const endpoint = await startAwsEndpoint({
    queues: queueDeclarations(),
    schedules: scheduleDeclarations(),
    invoke: (name, input) => invokeFunction(functions.get(name)!, input),
    onScheduleError: (_, error) => console.error(error),
  });
  Object.assign(process.env, environmentFor(endpoint.url));
  const streamArn = await streamOf(tableName);
  const sources = workers.flatMap((worker) => sourceOf(worker, functions, endpoint, streamArn));
  return {
    fire: async (schedule, now) => {
      if (!(schedule in schedules)) return false;
      await endpoint.scheduler.fire(schedule, now);
      return true;
    },
    stop: async () => {
      await Promise.all(sources.map((source) => source.stop()));
      await endpoint.close();
    },
  };
}

const lambdaName = (name: string) => name.replaceAll('/', '-');

function lambdaFunction({ name, timeoutSeconds }: Worker, load: (name: string) => Promise<Handler>) {
  const handler: Handler = async (event, context) => (await load(name))(event, context);
  return { name: lambdaName(name), handler, timeoutSeconds } as LambdaFunction;
}

/** Each queue with its dead-letter queue, and a dead-letter queue for each function that reads the stream. */
function queueDeclarations(): QueueDeclaration[] {
  const declared = Object.entries(queues).flatMap(
    ([name, { visibilityTimeoutSeconds, maxReceives }]: [string, Queue]) => [
      { name, visibilityTimeoutSeconds, maxReceiveCount: maxReceives, deadLetterQueue: deadLettersOf(name) },
      { name: deadLettersOf(name), retentionSeconds: 14 * 24 * 3600 },
    ],
  );
  const readers = workers.filter(({ source }) => 'stream' in source);
  return [...declared, ...readers.map(({ name }) => ({ name: deadLettersOf(lambdaName(name)) }))];
}

const deadLettersOf = (name: string) => `${name}-dead-letters`;

function scheduleDeclarations() {
  return workers.flatMap(({ name, source }) =>
    'schedules' in source
      ? source.schedules.map((schedule) => ({
          name: schedule,
          expression: schedules[schedule]!.expression,
          timeZone: schedules[schedule]!.timezone,
          target: { Arn: functionArn(lambdaName(name)), Input: '{"now":"<aws.scheduler.scheduled-time>"}' },
        }))
      : [],
  );
}

function environmentFor(url: string): Record<string, string> {
  const environment: Record<string, string> = {
    AWS_ENDPOINT_URL_SQS: url,
    AWS_ENDPOINT_URL_SCHEDULER: url,
    [scheduleVariables.group]: 'default',
    [scheduleVariables.role]: 'arn:aws:iam::000000000000:role/local',
    [keyVariable]: 'arn:aws:kms:us-east-1:000000000000:key/local',
  };
  for (const name of Object.keys(queues) as QueueName[]) {
    const { url: urlVariable, arn } = queueVariables(name);
    environment[urlVariable] = `${url}/000000000000/${name}`;
    environment[arn] = queueArn(name);
  }
  return environment;
}

function sourceOf(
  { name, source }: Worker,
  functions: Map<string, LambdaFunction>,
  { queues: local }: AwsEndpoint,
  streamArn: string,
): EventSource[] {
  // biome-ignore lint/suspicious/noExplicitAny: each source brings events of its own kind
  const target = functions.get(lambdaName(name)) as LambdaFunction<any, any>;
  const onError = (error: unknown) => console.error(error);
  if ('queue' in source) {
    const { queue, batchSize, batchWindowSeconds = 0, maxConcurrency: concurrency } = source;
    return [
      pollQueue({
        queue: local.get(queue),
        function: target,
        batchSize,
        batchWindowSeconds,
        concurrency,
        onError,
      }),
    ];
  }
  if (!('stream' in source)) return [];
  const unread = local.get(deadLettersOf(lambdaName(name)));
  return [
    pollStream({
      client: new DynamoDBStreamsClient({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB! }),
      streamArn,
      function: target,
      batchSize: source.batchSize,
      maximumRetryAttempts: source.retries,
      bisectOnError: true,
      onFailure: (body) => {
        unread.send({ body });
      },
      onError,
    }),
  ];
}

async function streamOf(tableName: string): Promise<string> {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName: tableName }));
  return Table!.LatestStreamArn!;
}
