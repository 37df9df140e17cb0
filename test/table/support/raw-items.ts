/** Reads and writes items as DynamoDB stores them. */
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../shared/table/client.ts';
import type { Key } from '../../../shared/table/keys.ts';

// biome-ignore lint/suspicious/noExplicitAny: a value as DynamoDB stores it
export type Value = any;
export type Stored = Record<string, Value>;

const raw = new DynamoDBClient({});

export const itemAt = async ({ pk, sk }: Key): Promise<Stored> => {
  const input = { TableName: tableName(), Key: { pk: { S: pk }, sk: { S: sk } } };
  return (await raw.send(new GetItemCommand({ ...input, ConsistentRead: true }))).Item!;
};
export const store = (Item: Stored) => raw.send(new PutItemCommand({ TableName: tableName(), Item }));
