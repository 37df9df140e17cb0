import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { withoutLogger } from '../../../shared/aws.ts';
import { type Environment, type QueueName, queueVariables } from '../../../shared/environment.ts';
import { deadLetterQueueName, queues } from '../../deploy/workers.ts';
import { accountId } from './aws/arns.ts';
import { systemClock } from './aws/clock.ts';
import { type AwsEndpoint, startAwsEndpoint } from './aws/endpoint.ts';
import type { Invoke } from './aws/invoke-function.ts';
import { bookKeyArn, drawKeyArn, keyArn } from './aws/kms.ts';
import type { EventSource } from './aws/queue-source.ts';
import { createStreamReader } from './aws/stream-reader.ts';
import {
  declaredQueues,
  declaredSchedules,
  type OnWorkerFailure,
  scheduleVariables,
  startEventSources,
} from './declared.ts';

export type LocalServices = {
  environment: Record<string, string>;
  aws: AwsEndpoint;
  /** Starts the event sources of the workers. `hasOldData`: the table, which must exist, may have older data. */
  start: (table: { name: string; hasOldData: boolean }) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts local SQS, EventBridge Scheduler and KMS, with the queues and schedules of `workers.ts`. */
export async function startLocalServices(invoke: Invoke, failed: OnWorkerFailure): Promise<LocalServices> {
  const ready = Promise.withResolvers<boolean>();
  const aws = await startAwsEndpoint({
    queues: declaredQueues(),
    schedules: declaredSchedules(),
    // Delays invocations until `start` is called, because a schedule can be due before the table exists.
    invoke: async (name, input) => ((await ready.promise) ? invoke(name, input) : undefined),
    onScheduleError: (schedule, error) => failed(schedule.name, error),
  });
  const sources: EventSource[] = [];
  return {
    environment: { ...addresses(aws.url), ...queueAddresses(aws.url) },
    aws,
    async start({ name, hasOldData }) {
      const stream = await streamOf(name);
      const overrides = {
        // Unlike AWS, does not wait for full batches, and delivers one batch at a time.
        batchWindowSeconds: 0,
        parallelPerShard: 1,
        // If data was kept from an earlier run, skips its stream records: workers may already have received them.
        startingPosition: hasOldData ? 'LATEST' : 'TRIM_HORIZON',
      } as const;
      sources.push(
        ...startEventSources({ queues: aws.queues, stream, invoke, failed, clock: systemClock, overrides }),
      );
      ready.resolve(true);
    },
    async stop() {
      ready.resolve(false);
      // Gives running workers up to 2 s to finish.
      const stopping = new AbortController();
      const stopped = Promise.all(sources.map((source) => source.stop()));
      await Promise.race([stopped, systemClock.wait(2000, stopping.signal)]);
      stopping.abort();
      await Promise.race([aws.close(), systemClock.wait(1000)]);
    },
  };
}

const addresses = (url: string) => ({
  AWS_ENDPOINT_URL_SQS: url,
  AWS_ENDPOINT_URL_SCHEDULER: url,
  AWS_ENDPOINT_URL_KMS: url,
  ...scheduleVariables,
  KEY_ARN: keyArn,
  DRAW_KEY_ARN: drawKeyArn,
  BOOK_KEY_ARN: bookKeyArn,
});

function queueAddresses(url: string): Environment {
  const pairs = Object.keys(queues).flatMap((name) => {
    const variables = queueVariables[name as QueueName];
    return [
      [variables.url, `${url}/${accountId}/${name}`],
      [variables.deadLetterUrl, `${url}/${accountId}/${deadLetterQueueName(name)}`],
    ];
  });
  return Object.fromEntries(pairs);
}

async function streamOf(tableName: string) {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName: tableName }));
  const arn = Table!.LatestStreamArn!;
  // Passes DynamoDB's endpoint to the client: the AWS SDK reads the endpoint of streams from a different environment
  // variable.
  const client = withoutLogger(
    new DynamoDBStreamsClient({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB! }),
  );
  return { arn, reader: createStreamReader({ client, streamArn: arn }) };
}
