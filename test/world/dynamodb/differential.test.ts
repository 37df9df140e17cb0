import { expect, test } from 'vitest';
import { useDynamodbLocal } from '../../support/dynamodb-local.ts';
import { compare, localAt } from './differential.ts';
import { compareStreams } from './stream-differential.ts';

const { access, client } = await useDynamodbLocal();
const local = localAt(access.endpoint);

// `compare-many.ts` runs the same comparison with more commands.
test.concurrent.each(['oak', 'elm'])(
  'the stand-in and DynamoDB Local return the same for 150 commands of the seed %s',
  async (seed) => {
    expect(await compare({ seed, commands: 150, client, local })).toBeUndefined();
  },
);

test.concurrent('both streams have the same records of each item', async () => {
  const streams = await compareStreams({ seed: 'gum', commands: 150, client, local });
  expect(streams.standIn).toEqual(streams.local);
  expect(streams.local.length).toBeGreaterThan(20);
});
