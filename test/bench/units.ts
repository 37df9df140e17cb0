/**
 * Counts DynamoDB capacity units by AWS's rules, because DynamoDB Local counts differently. Source: measurements in
 * https://github.com/nubo-db/dynoxide/pull/188.
 */
import { isDeepStrictEqual } from 'node:util';
import { readUnits, writeUnits } from '../support/dynamodb/throughput.ts';
import { type Item, itemSize, readItem } from '../support/dynamodb/values.ts';

/** DynamoDB capacity units of a request: writes to the table and its index, and reads of both. */
export type Units = { tableWrites: number; indexWrites: number; reads: number };
export const noUnits: Units = { tableWrites: 0, indexWrites: 0, reads: 0 };
export const addUnits = (a: Units, b: Units): Units => ({
  tableWrites: a.tableWrites + b.tableWrites,
  indexWrites: a.indexWrites + b.indexWrites,
  reads: a.reads + b.reads,
});

// biome-ignore lint/suspicious/noExplicitAny: the JSON of the wire
type Json = any;
/** Sends an additional, uncounted DynamoDB operation to the endpoint of the counted request. */
export type Ask = (operation: string, input: object) => Promise<Json>;

/**
 * Reads the items that a request will change. Returns a function that computes the request's DynamoDB capacity units.
 */
export async function countUnits(
  operation: string,
  input: Json,
  ask: Ask,
): Promise<(reply: Json) => Promise<Units>> {
  if (!writing.test(operation)) return async (reply) => ({ ...noUnits, reads: readsOf(input, reply) });
  // AWS counts each item of a transaction twice.
  const factor = operation === 'TransactWriteItems' ? 2 : 1;
  const writes = await Promise.all(writesOf(operation, input).map((write) => located(write, ask)));
  const before = await Promise.all(writes.map((write) => versionOf(write, ask)));
  return async () => {
    const after = await Promise.all(writes.map((write) => versionOf(write, ask)));
    return writes.reduce((sum, { indexes, item }, i) => {
      const versions = [before[i], after[i]];
      // Counts a rejected write like a successful one, which is the maximum that AWS may charge.
      const ofTable = factor * Math.max(...[...versions, item].map(sizeUnits));
      const ofIndexes = indexes.reduce((more, names) => more + indexUnits(names, versions), 0);
      return addUnits(sum, { tableWrites: ofTable, indexWrites: ofIndexes, reads: 0 });
    }, noUnits);
  };
}

const writing = /^(Put|Update|Delete|BatchWrite|TransactWrite)Items?$/;

/** Returns a call's read units. Adds AWS's minimum for an empty query or missing key, which DynamoDB Local omits. */
function readsOf(input: Json, { ConsumedCapacity = [], Responses = {} }: Json): number {
  const units = [ConsumedCapacity].flat().reduce((sum: number, one: Json) => sum + one.CapacityUnits, 0);
  if (input.KeyConditionExpression) return Math.max(units, readUnits(0, input.ConsistentRead === true));
  const batches = Object.entries(input.RequestItems ?? {}) as [string, Json][];
  return batches.reduce(
    (sum, [table, { Keys, ConsistentRead }]) =>
      sum + (Keys.length - Responses[table].length) * readUnits(0, ConsistentRead === true),
    units,
  );
}

const sizeUnits = (item: Item | undefined) => writeUnits(item ? itemSize(item) : 0);

/** Returns an index's write units for a changed item. An item without key attributes is not indexed. */
function indexUnits(names: string[], versions: (Item | undefined)[]): number {
  const [old, fresh] = versions.map((item) => (item && names.every((name) => item[name]) ? item : undefined));
  if (!old || !fresh) return old || fresh ? sizeUnits(old ?? fresh) : 0;
  if (names.some((name) => !isDeepStrictEqual(old[name], fresh[name])))
    return sizeUnits(old) + sizeUnits(fresh);
  return isDeepStrictEqual(old, fresh) ? 0 : Math.max(sizeUnits(old), sizeUnits(fresh));
}

type Write = { table: string; key?: Json; item?: Item | undefined };

/** Returns a request's writes and condition checks. AWS charges as much for a check as for a write. */
function writesOf(operation: string, input: Json): Write[] {
  const write = ({ TableName: table, Key: key, Item: item }: Json) => ({
    table,
    key,
    item: item && readItem(item),
  });
  if (operation === 'TransactWriteItems')
    return input.TransactItems.flatMap((part: Json) => Object.values(part).map(write));
  if (operation !== 'BatchWriteItem') return [write(input)];
  return Object.entries(input.RequestItems).flatMap(([TableName, requests]) =>
    (requests as Json[]).flatMap((request) =>
      Object.values(request).map((one) => write({ TableName, ...(one as Json) })),
    ),
  );
}

const tables = new Map<string, Promise<Json>>();

/** Completes a write: adds the item's key, and the names of the key attributes of each index of the table. */
async function located({ table, key, item }: Write, ask: Ask) {
  if (!tables.has(table)) tables.set(table, ask('DescribeTable', { TableName: table }));
  const { Table } = await tables.get(table);
  const namesOf = (schema: Json[]): string[] => schema.map(({ AttributeName }) => AttributeName);
  const keys = namesOf(Table.KeySchema).map((name) => [name, (key ?? item)[name]]);
  const indexes = (Table.GlobalSecondaryIndexes ?? []).map((index: Json) =>
    namesOf(index.KeySchema),
  ) as string[][];
  return { table, key: Object.fromEntries(keys), item, indexes };
}

async function versionOf({ table, key }: Write, ask: Ask): Promise<Item | undefined> {
  const { Item: found } = await ask('GetItem', { TableName: table, Key: key, ConsistentRead: true });
  return found && readItem(found);
}
