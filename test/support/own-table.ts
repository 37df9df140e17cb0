import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/develop/local/dynamodb.ts';

/**
 * Creates a table for one test file. The local stage's workers do not process it. It has no stream, because
 * DynamoDB Local slows down each write to any table by the length of all streams.
 */
export async function useOwnTable(name: string): Promise<void> {
  process.env.TABLE_NAME = `${name}-${crypto.randomUUID()}`;
  await createTable(new DynamoDBClient({}), process.env.TABLE_NAME, { stream: false });
}
