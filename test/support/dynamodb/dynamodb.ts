import { createDueList } from '../../../infra/develop/local/aws/due.ts';
import { awsError } from '../../../infra/develop/local/aws/error.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import type { Commit, StoredItem } from '../../world/journal.ts';
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

/** Simulates one DynamoDB table in memory. Refuses operations and fields that the service does not use. */
export type Dynamodb = {
  /**
   * Executes one operation atomically. Throws an AwsError if the operation is refused. The caller must not modify input
   * or result.
   */
  call(operation: string, input: unknown): unknown;
  /** Returns up to `limit` records of a shard of the stream after the position `after`, oldest first. */
  readStream(shard: number, after: number, limit: number): StreamRecord[];
  /** The number of shards of the stream. Shards are numbered from 0. */
  shards: number;
  /** Deletes the items whose TTL has passed. AWS deletes such items some time later, so the caller decides when. */
  expire(): void;
  /** Returns all items as plain JavaScript values, in the form in which the service reads them. */
  items(): Iterable<StoredItem>;
};

type Options = Lags & {
  tableName: string;
  clock: { now(): number };
  random: Random;
  /** The number of shards of the stream. Default: 4. */
  shards?: number;
  /** Creates the counter that limits the throughput of each partition key. Default: no limits. */
  throughput?: (clock: Options['clock']) => Throughput;
  /** Called with the changed items of each write or transaction. */
  onCommit?: (changes: Commit['changes']) => void;
};

/** Creates an empty table with the keys, index and TTL of the service's table. */
export function createDynamodb(options: Options): Dynamodb {
  const { tableName, clock, random, shards = 4, throughput = () => unlimited, onCommit } = options;
  const expiring = createExpiring(clock);
  const table = createTable(clock, random, options);
  const write: Table['write'] = (key, version) => {
    table.write(key, version);
    if (version) expiring.note(key, version.item[tableDefinition.ttl]?.N);
  };
  const database: Database = {
    tableName,
    clock,
    random,
    table: { ...table, write },
    stream: createStream(tableName, shards, clock),
    throughput: throughput(clock),
    onCommit,
  };
  const operations = operationsOf(database);
  return {
    call(operation, input) {
      const carryOut = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (!carryOut) throw awsError('UnknownOperationException', `${operation} is not served here`);
      // The cast is safe, because the AWS SDK has already validated the types of the input's fields.
      return carryOut(input as never, database);
    },
    readStream: database.stream.read,
    shards,
    expire() {
      for (const key of expiring.due()) {
        const before = table.find(key);
        const ttl = Number(before?.item[tableDefinition.ttl]?.N);
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

/** Creates a list of keys in order of their items' TTL. Callers must check items: a TTL may have changed. */
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
