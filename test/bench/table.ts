import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startAwsEndpoint } from '../../infra/develop/local/aws/endpoint.ts';
import { bookKeyArn, drawKeyArn } from '../../infra/develop/local/aws/kms.ts';
import { createTable, type LocalDynamodb, startDynamodb } from '../../infra/develop/local/dynamodb.ts';

const name = 'incentives-bench';
let starting: Promise<() => Promise<void>> | undefined;

/** Starts DynamoDB Local, unless `BENCH_DYNAMODB` has the endpoint of a running one, as in the test suite. */
export async function startBenchDynamodb(): Promise<LocalDynamodb> {
  const running = process.env.BENCH_DYNAMODB;
  return running ? { endpoint: running, stop: async () => {} } : startDynamodb();
}

/** At the first call, starts DynamoDB Local and KMS, creates the table and sets environment variables. */
export async function useTable(): Promise<void> {
  starting ??= start();
  await starting;
}

/** Stops DynamoDB Local and the local KMS, if they were started. */
export async function stopTable(): Promise<void> {
  const stop = await starting;
  await stop?.();
}

async function start(): Promise<() => Promise<void>> {
  const { endpoint, stop } = await startBenchDynamodb();
  const aws = await startAwsEndpoint({ queues: [], invoke: async () => {} });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: name,
    STAGE: 'local',
    LOG_LEVEL: 'SILENT',
    AWS_ENDPOINT_URL_KMS: aws.url,
    DRAW_KEY_ARN: drawKeyArn,
    BOOK_KEY_ARN: bookKeyArn,
  });
  // A stream would slow down DynamoDB Local.
  await createTable(new DynamoDBClient({}), name, { stream: false });
  return async () => {
    await Promise.all([stop(), aws.close()]);
  };
}
