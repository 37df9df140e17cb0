import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/develop/local/dynamodb.ts';
import { untilEventsEnd } from './stage.ts';

/** Makes a test file use a new table. The table has no stream, because long streams slow down DynamoDB Local. */
export async function useOwnTable(name: string): Promise<void> {
  process.env.TABLE_NAME = `${name}-${crypto.randomUUID()}`;
  await untilEventsEnd();
  await createTable(new DynamoDBClient({}), process.env.TABLE_NAME, { stream: false });
}
