import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, startDynamodb } from '../../infra/local/dynamodb.ts';

const name = 'incentives-bench';
let starting: Promise<() => Promise<void>> | undefined;

/** Sees to it that DynamoDB Local runs with the service's table, and that the environment says where. */
export async function useTable(): Promise<void> {
  starting ??= start();
  await starting;
}

/** Ends DynamoDB Local, where it was needed. */
export async function stopTable(): Promise<void> {
  const stop = await starting;
  await stop?.();
}

async function start(): Promise<() => Promise<void>> {
  const { endpoint, stop } = await startDynamodb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: name,
    STAGE: 'local',
  });
  await createTable(new DynamoDBClient({}), name);
  return stop;
}
