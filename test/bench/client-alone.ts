import { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

/** The least that a function on this table could be: what the service's own bundles are measured against. */
export async function handler({ read, write }: { read: never; write: never }): Promise<void> {
  await client.send(new GetItemCommand(read));
  await client.send(new TransactWriteItemsCommand(write));
}
