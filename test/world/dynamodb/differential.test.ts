import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, inject, test } from 'vitest';
import { compare, localAt } from './differential.ts';
import { compareStreams } from './stream-differential.ts';

const { dynamodbEndpoint: endpoint } = inject('stage');
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
const local = localAt(endpoint);

// compare-many.ts does the same for as long as one likes.
test.concurrent.each(['oak', 'elm', 'fig', 'box'])(
  'the stand-in and DynamoDB Local return the same for 250 commands of the seed %s',
  async (seed) => {
    expect(await compare({ seed, commands: 250, client, local })).toBeUndefined();
  },
);

test.concurrent('the streams of both tell the same of each item', async () => {
  const told = await compareStreams({ seed: 'gum', commands: 250, client, local });
  expect(told.standIn).toEqual(told.local);
  expect(told.local.length).toBeGreaterThan(20);
});
