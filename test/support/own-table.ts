import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/develop/local/dynamodb.ts';

/**
 * Makes a table for the tests of one file alone, which the local stage does not know: nobody makes fences of what is
 * in it. It has no stream. With one, each write to any table would be as slow as this one's stream is long: DynamoDB
 * Local looks for the first record of the written table's stream, and passes over those of all other tables on its way.
 */
export async function useOwnTable(name: string): Promise<void> {
  process.env.TABLE_NAME = `${name}-${crypto.randomUUID()}`;
  await createTable(new DynamoDBClient({}), process.env.TABLE_NAME, { stream: false });
}
