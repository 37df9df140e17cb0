import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/develop/local/dynamodb.ts';

/**
 * Creates a table for one test file. The local stage's workers do not process its changes. The table has no
 * stream, because in DynamoDB Local, long streams slow down writes to all tables.
 */
export async function useOwnTable(name: string): Promise<void> {
  process.env.TABLE_NAME = `${name}-${crypto.randomUUID()}`;
  await createTable(new DynamoDBClient({}), process.env.TABLE_NAME, { stream: false });
}
