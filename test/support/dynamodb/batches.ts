/** Executes `GetItem`, `BatchGetItem` and `BatchWriteItem` on the simulated table. */
import { awsError, isAwsError } from '../../../infra/develop/local/aws/error.ts';
import { checkFields, checkTable, type Database, fieldSet } from './database.ts';
import { type Key, keyOf, readKeyFields } from './keys.ts';
import { bind, type Placeholders } from './placeholders.ts';
import { type Projection, project, projectionOf } from './projections.ts';
import type { Version } from './table-index.ts';
import { readUnits, throttled, throttledMessage } from './throughput.ts';
import { readProjection } from './update-grammar.ts';
import { validation } from './validation.ts';
import type { Item } from './values.ts';
import { carryOut, deleteOf, putOf, type Write } from './writes.ts';

type ReadOptions = Placeholders & { ConsistentRead?: boolean; ProjectionExpression?: string };
export type GetInput = ReadOptions & { Key: unknown };
type KeysInput = ReadOptions & { Keys?: unknown[] };
type WriteInput = { PutRequest?: { Item: unknown }; DeleteRequest?: { Key: unknown } };

const reading = 'ConsistentRead ProjectionExpression ExpressionAttributeNames';
const getFields = fieldSet(`TableName Key ${reading}`);
const keysFields = fieldSet(`Keys ${reading}`);
const batchFields = fieldSet('RequestItems');
const putFields = fieldSet('Item');
const deleteFields = fieldSet('Key');
const maxKeys = 100;
const maxWrites = 25;
const maxBatchBytes = 16 * 1024 * 1024;
const maxPartitionBytes = 1024 * 1024;

export function getItem(input: GetInput, database: Database) {
  checkFields(input, getFields, database);
  const projection = readOptions(input);
  const key = keyOf(readKeyFields(input.Key));
  if (!database.throughput.has('TableRead', key.pk)) throw throttled('TableRead', database.tableName);
  const version = read(key, input, database);
  return version ? { Item: projected(version, projection) } : {};
}

function readOptions(input: ReadOptions): Projection | undefined {
  const text = input.ProjectionExpression;
  const paths = text === undefined ? undefined : readProjection(text);
  const binding = bind(input, [paths]);
  return paths && projectionOf(paths.says, binding);
}

const projected = ({ item }: Version, projection: Projection | undefined): Item =>
  projection ? project(item, projection) : item;

function read(key: Key, { ConsistentRead: consistent = false }: ReadOptions, database: Database) {
  const { table, throughput } = database;
  const version = consistent ? table.find(key) : table.findStale(key);
  throughput.take('TableRead', key.pk, readUnits(version?.size ?? 0, consistent));
  return version;
}

export function batchGetItem(input: { RequestItems?: Record<string, KeysInput> }, database: Database) {
  const [name, request] = requestOf(input, database);
  checkFields(request, keysFields, database);
  const { Keys: keys = [], ...options } = request;
  if (keys.length === 0) throw validation('The list of keys in RequestItems for BatchGetItem is required');
  if (keys.length > maxKeys) throw validation('Too many items requested for the BatchGetItem call');
  const projection = readOptions(options);
  const all = keys.map((given) => ({ given, key: keyOf(readKeyFields(given)) }));
  refuseTwice(all.map(({ key }) => key));
  const batchReader = createBatchReader(database, options);
  const found: Item[] = [];
  const left: unknown[] = [];
  // Reads the items of the batch in random order, because AWS guarantees no order.
  for (const { given, key } of shuffled(all, database)) {
    const version = batchReader.read(key);
    if (version === 'none') left.push(given);
    else if (version) found.push(projected(version, projection));
  }
  if (left.length === keys.length) throw throttled('TableRead', database.tableName);
  return {
    Responses: { [name]: found },
    UnprocessedKeys: left.length > 0 ? { [name]: { ...options, Keys: left } } : {},
  };
}

/** Creates a reader for a batch's items. `read` returns `none` once the size or throughput limit is reached. */
function createBatchReader(database: Database, options: ReadOptions) {
  let bytes = 0;
  const bytesOf = new Map<string, number>();
  return {
    read(key: Key): Version | 'none' | undefined {
      const ofPartition = bytesOf.get(key.pk) ?? 0;
      if (ofPartition > maxPartitionBytes || !database.throughput.has('TableRead', key.pk)) return 'none';
      const version = read(key, options, database);
      const size = version?.size ?? 0;
      if (bytes + size > maxBatchBytes) return 'none';
      bytes += size;
      bytesOf.set(key.pk, ofPartition + size);
      return version;
    },
  };
}

export function batchWriteItem(input: { RequestItems?: Record<string, WriteInput[]> }, database: Database) {
  const [name, requests] = requestOf(input, database);
  if (!(requests.length > 0))
    throw validation('The batch write request list for a table cannot be null or empty');
  if (requests.length > maxWrites) throw validation('Too many items requested for the BatchWriteItem call');
  const all = requests.map((request) => {
    const write = readWrite(request, database);
    return { request, write, key: write.key() };
  });
  refuseTwice(all.map(({ key }) => key));
  const left = shuffled(all, database).filter(({ write }) => !isDone(write, database));
  if (left.length === requests.length) throw awsError('ThrottlingException', throttledMessage('TableWrite'));
  return {
    UnprocessedItems: left.length > 0 ? { [name]: left.map(({ request }) => request) } : {},
  };
}

function requestOf<Request>(
  input: { RequestItems?: Record<string, Request> },
  database: Database,
): [name: string, request: Request] {
  checkFields(input, batchFields, database);
  const [request, ...others] = Object.entries(input.RequestItems ?? {});
  if (!request) throw validation('A batch cannot have a null or no requests set');
  for (const [name] of [request, ...others]) checkTable(name, database.tableName);
  return request;
}

function readWrite(
  { PutRequest: put, DeleteRequest: gone, ...others }: WriteInput,
  database: Database,
): Write {
  if ((put === undefined) === (gone === undefined) || Object.keys(others).length > 0) {
    throw validation('A part of a batch has either a PutRequest or a DeleteRequest');
  }
  checkFields(put ?? gone!, put ? putFields : deleteFields, database);
  return put ? putOf(put) : deleteOf(gone!);
}

function isDone(write: Write, database: Database): boolean {
  try {
    carryOut(write, database);
    return true;
  } catch (error) {
    if (isAwsError(error) && error.name === 'ThrottlingException') return false;
    throw error;
  }
}

function refuseTwice(keys: Key[]): void {
  if (new Set(keys.map(({ pk, sk }) => `${pk}\0${sk}`)).size < keys.length) {
    throw validation('Provided list of item keys contains duplicates');
  }
}

function shuffled<T>(list: T[], { random }: Database): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0]!);
}
