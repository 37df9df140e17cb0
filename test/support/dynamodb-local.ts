import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll } from 'vitest';
import { startDynamodb } from '../../infra/local/dynamodb.ts';

/** A DynamoDB Local for the tests of one file, with a client of it; the stage's own database is the stand-in. */
export async function useDynamodbLocal() {
  const { endpoint, stop } = await startDynamodb();
  const access = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
  const client = new DynamoDBClient(access);
  afterAll(async () => {
    client.destroy();
    await stop();
  });
  return { access, client };
}
