/** Reads the streams of the simulation and of DynamoDB Local after the same random commands, for a comparison. */
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { createTable } from '../../../infra/develop/local/dynamodb.ts';
import { createRandom } from '../random.ts';
import { commandsOf } from './commands.ts';
import { type CallLocal, textOf } from './differential.ts';
import { createDynamodb } from './dynamodb.ts';

type ReadRecords = { standIn: string[]; local: string[] };

/** Runs a seed's commands on the simulation and DynamoDB Local. Returns each item's stream records as text. */
export async function compareStreams(options: {
  seed: string;
  commands: number;
  client: DynamoDBClient;
  local: CallLocal;
}): Promise<ReadRecords> {
  const { seed, commands, client, local } = options;
  const tableName = `differential-${randomUUID()}`;
  const standIn = createDynamodb({ tableName, clock: { now: () => 0 }, random: createRandom(seed) });
  await createTable(client, tableName);
  try {
    for (const { operation, input } of commandsOf(
      createRandom(seed),
      commands,
      tableName,
      tableName.slice(-9),
    )) {
      const { error } = await local(operation, input);
      // Skips commands that DynamoDB Local refuses, because they add no record to the stream.
      // `differential.ts` compares the errors.
      if (!error) standIn.call(operation, input);
    }
    const shards = Array.from({ length: standIn.shards }, (_, shard) => standIn.readStream(shard, 0, 1e6));
    return {
      standIn: byItem(shards.flat().map(({ record }) => record)),
      local: byItem(await recordsOf(tableName, local)),
    };
  } finally {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  }
}

async function recordsOf(tableName: string, local: CallLocal): Promise<DynamoDBRecord[]> {
  const { Table } = await local('DescribeTable', { TableName: tableName });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await local('DescribeStream', { StreamArn }, 'DynamoDBStreams');
  const records: DynamoDBRecord[] = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const from = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    let { ShardIterator } = await local('GetShardIterator', from, 'DynamoDBStreams');
    for (let found = 1; found > 0; ) {
      const { Records, NextShardIterator } = await local('GetRecords', { ShardIterator }, 'DynamoDBStreams');
      records.push(...Records);
      [found, ShardIterator] = [Records.length, NextShardIterator];
    }
  }
  return records;
}

/** Returns one text per item, with the item's key and records in order. */
function byItem(records: DynamoDBRecord[]): string[] {
  const items = new Map<string, string[]>();
  for (const { eventName, dynamodb: { Keys, NewImage, SizeBytes } = {} } of records) {
    const key = textOf(Keys);
    items.set(key, [
      ...(items.get(key) ?? [key]),
      textOf({ eventName, NewImage: withTypes(NewImage), SizeBytes }),
    ]);
  }
  return [...items.values()].map((told) => told.join('\n')).sort();
}

/** Restores the type of empty maps: streams of DynamoDB Local return `{}` instead of `{ M: {} }`. */
const withTypes = (image: object | undefined): unknown =>
  image &&
  JSON.parse(JSON.stringify(image), (name, part) => (name !== 'M' && isEmpty(part) ? { M: {} } : part));

const isEmpty = (part: unknown) =>
  typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length === 0;
