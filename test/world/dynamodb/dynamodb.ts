import { createDueList } from '../../../infra/develop/local/aws/due.ts';
import { awsError } from '../../../infra/develop/local/aws/error.ts';
import { definition } from '../../../shared/table/keys.ts';
import type { Commit, StoredItem } from '../journal.ts';
import type { Random } from '../random.ts';
import { batchGetItem, batchWriteItem, getItem } from './batches.ts';
import { commit, type Database, plainOf } from './database.ts';
import type { Key } from './keys.ts';
import { query } from './query.ts';
import { createStream, type StreamRecord } from './stream.ts';
import { createTable, type Lags, type Table } from './table.ts';
import { type Throughput, unlimited } from './throughput.ts';
import { createTransactions } from './transactions.ts';
import { deleteItem, putItem, updateItem } from './writes.ts';

/** DynamoDB in memory, as far as the service uses it: one table with its index, stream and TTL. */
export type Dynamodb = {
  /**
   * Carries out one operation of the wire's JSON, at once and as a whole. Throws an AwsError; what its body has beyond
   * the message is in its `fields`. Neither what is given nor what is returned may be changed later.
   */
  call(operation: string, input: unknown): unknown;
  /** Records of a shard of the stream after a position, oldest first. */
  readStream(shard: number, after: number, limit: number): StreamRecord[];
  /** How many shards the stream has; they are numbered from 0. */
  shards: number;
  /** Deletes all whose TTL is over, as AWS does some time after that. */
  expire(): void;
  /** All items, as the service sees them. */
  items(): Iterable<StoredItem>;
};

type Options = Lags & {
  tableName: string;
  clock: { now(): number };
  random: Random;
  /** Of the stream; 4 if absent. */
  shards?: number;
  /** Makes the account of each key's units; keys have no limit if absent. */
  throughput?: (clock: Options['clock']) => Throughput;
  /** Told of every write and transaction as it commits. */
  committed?: (changes: Commit['changes']) => void;
};

/** Makes a table of the product's definition, empty. */
export function createDynamodb(options: Options): Dynamodb {
  const { tableName, clock, random, shards = 4, throughput = () => unlimited, committed } = options;
  const expiring = createExpiring(clock);
  const table = createTable(clock, random, options);
  const write: Table['write'] = (key, version) => {
    table.write(key, version);
    if (version) expiring.note(key, version.item[definition.ttl]?.N);
  };
  const database: Database = {
    tableName,
    clock,
    random,
    table: { ...table, write },
    stream: createStream(tableName, shards, clock),
    throughput: throughput(clock),
    committed,
  };
  const operations = operationsOf(database);
  return {
    call(operation, input) {
      const carryOut = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (!carryOut) throw awsError('UnknownOperationException', `${operation} is not served here`);
      // The SDK has checked the types of what it sends.
      return carryOut(input as never, database);
    },
    readStream: database.stream.read,
    shards,
    expire() {
      for (const key of expiring.due()) {
        const before = table.find(key);
        const ttl = Number(before?.item[definition.ttl]?.N);
        if (before && ttl * 1000 <= clock.now()) commit([{ key, before, after: undefined }], database, true);
      }
    },
    *items() {
      for (const version of table.versions()) yield plainOf(version);
    },
  };
}

const operationsOf = (database: Database): Record<string, (input: never, on: Database) => unknown> => ({
  GetItem: getItem,
  BatchGetItem: batchGetItem,
  Query: query,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  BatchWriteItem: batchWriteItem,
  TransactWriteItems: createTransactions(database),
});

/** Whose TTL is over, in time; some may have been written again since. */
function createExpiring(clock: { now(): number }) {
  const list = createDueList<Key>();
  return {
    note(key: Key, ttl: string | undefined) {
      if (ttl !== undefined) list.add(Number(ttl) * 1000, key);
    },
    *due(): Generator<Key> {
      while (list.next() <= clock.now()) yield list.take(clock.now())!;
    },
  };
}
