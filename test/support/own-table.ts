import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/develop/local/dynamodb.ts';

/**
 * Creates a table for one test file, which the local stage's workers do not process. The table has no stream:
 * DynamoDB Local slows down every write to any table as streams get longer.
 */
export async function useOwnTable(name: string): Promise<void> {
  process.env.TABLE_NAME = `${name}-${crypto.randomUUID()}`;
  await createTable(new DynamoDBClient({}), process.env.TABLE_NAME, { stream: false });
}
