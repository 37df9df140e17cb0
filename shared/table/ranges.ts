/** Reads ranges of keys: every query of the table, and the only file with a key condition. */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { client, type Item, tableName } from './client.ts';
import { definition, type Key, type Range } from './keys.ts';

/** How a range is read. */
export type ReadOptions = {
  /** Whether the items come in descending order of their sort keys. */
  newestFirst?: boolean;
  /** Whether all that was written before is read; it costs twice as much, and the index cannot do it. */
  consistent?: boolean;
  /** The fields that are returned; all if there are none. */
  fields?: string[];
  /** Only items whose fields have these values are returned; the others are read and paid for all the same. */
  where?: Record<string, string>;
};

/** Where a query begins: after the item of a key, or where an earlier query ended. */
type StartKey = Key | Item | undefined;

/**
 * One query of a range: up to `limit` items (before `where` is applied) or 1 MB of them. Returns `end` unless it has
 * read the range to its end: the key after which the next query goes on.
 */
export async function query(
  range: Range,
  { limit, after, ...options }: ReadOptions & { limit?: number | undefined; after?: StartKey } = {},
): Promise<{ items: Item[]; end: Item | undefined }> {
  const { Items, LastEvaluatedKey } = await client.send(
    new QueryCommand({ ...inputOf(range, options), Limit: limit, ExclusiveStartKey: after }),
  );
  const { fields = [] } = options;
  const items = fields.length > 0 ? Items?.map((item) => picked(item, fields)) : Items;
  return { items: items ?? [], end: LastEvaluatedKey };
}

const picked = (item: Item, fields: string[]): Item =>
  Object.fromEntries(fields.filter((field) => field in item).map((field) => [field, item[field]]));

/**
 * How many items one query reads at most when a range is read to its end: some 350 KB of records of the usual size.
 * DynamoDB Local, unlike DynamoDB, reads all that a query could return before it cuts it off at 1 MB, and needs to be
 * told where to stop.
 */
export const itemsPerQuery = 1000;

/** The items of a range, query by query, each read when it is asked for. */
export async function* batches(
  range: Range,
  { limit = itemsPerQuery, ...options }: ReadOptions & { limit?: number } = {},
): AsyncGenerator<Item[], undefined> {
  let after: StartKey;
  do {
    const { items, end } = await query(range, { ...options, limit, after });
    yield items;
    after = end;
  } while (after);
}

/** The items of a range: the first `limit` of them, or all. */
export async function readRange(
  range: Range,
  { limit, after, ...options }: ReadOptions & { limit?: number | undefined; after?: StartKey } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let start = after;
  do {
    const most = limit === undefined ? itemsPerQuery : limit - items.length;
    const { items: found, end } = await query(range, { ...options, limit: most, after: start });
    items.push(...found);
    start = end;
  } while (start && (limit === undefined || items.length < limit));
  return items;
}

/** A page of a list; `last` is the position of its last item, or undefined if no page follows. */
export type Page<T = Item> = { items: T[]; last: string | undefined };

/**
 * A page of a range of the table: up to `limit` items after a position. Returns `last`, the position of the page's
 * last item, if another page follows, and none after the last page. One round trip, unless items are large.
 */
export async function readPage(
  range: Range,
  { limit, after, ...options }: ReadOptions & { limit: number; after?: string | undefined },
): Promise<Page> {
  if (limit === 0) return { items: [], last: undefined };
  const start = after === undefined ? undefined : keyAt(range, after);
  // One more than asked for tells whether a page follows.
  const found = await readRange(range, { ...options, limit: limit + 1, after: start });
  const items = found.slice(0, limit);
  return { items, last: found.length > limit ? positionOf(range, items.at(-1)!) : undefined };
}

/** How many items a range has. */
export async function countItems(range: Range): Promise<number> {
  let count = 0;
  let start: StartKey;
  do {
    const { Count, LastEvaluatedKey } = await client.send(
      new QueryCommand({
        ...inputOf(range, {}),
        Select: 'COUNT',
        Limit: itemsPerQuery,
        ExclusiveStartKey: start,
      }),
    );
    count += Count ?? 0;
    start = LastEvaluatedKey;
  } while (start);
  return count;
}

/** The field in which the items of a range have their sort key. */
export const sortKeyOf = ({ inIndex }: Range): string =>
  inIndex ? definition.byTime.sortKey : definition.sortKey;

/** The position of an item in a range: its sort key without the range's prefix. */
export const positionOf = (range: Range, item: Item): string =>
  String(item[sortKeyOf(range)]).slice(range.prefix.length);

/** The key at a position of a range of the table, whether there is an item or not. */
const keyAt = ({ partition, prefix }: Range, position: string): Key => ({
  pk: partition,
  sk: prefix + position,
});

const primaryKey = [definition.partitionKey, definition.sortKey];

function inputOf(range: Range, options: ReadOptions): QueryCommandInput {
  const { newestFirst = false, consistent = false, fields = [], where = {} } = options;
  const { condition, values } = conditionOf(range);
  const names: Record<string, string> = { '#partition': partitionKeyOf(range) };
  if (values[':least'] !== undefined) names['#sort'] = sortKeyOf(range);
  // What the key says of an item is not stored beside it.
  const read = [...new Set(fields.length > 0 ? [...fields, ...primaryKey] : [])];
  for (const [index, field] of read.entries()) names[`#field${index}`] = field;
  const filters = Object.entries(where).map(([field, value], index) => {
    names[`#filter${index}`] = field;
    values[`:filter${index}`] = value;
    return `#filter${index} = :filter${index}`;
  });
  return {
    TableName: tableName(),
    ...(range.inIndex ? { IndexName: definition.byTime.name } : { ConsistentRead: consistent }),
    KeyConditionExpression: condition,
    ...(filters.length > 0 ? { FilterExpression: filters.join(' AND ') } : {}),
    ...(read.length > 0 ? { ProjectionExpression: read.map((_, index) => `#field${index}`).join(', ') } : {}),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: !newestFirst,
  };
}

const partitionKeyOf = ({ inIndex }: Range) =>
  inIndex ? definition.byTime.partitionKey : definition.partitionKey;

function conditionOf({ partition, prefix, between }: Range) {
  const values: Record<string, string> = { ':partition': partition };
  const inPartition = '#partition = :partition';
  if (between) {
    const [least, greatest] = between.map((position) => prefix + position) as [string, string];
    return {
      condition: `${inPartition} AND #sort BETWEEN :least AND :greatest`,
      values: { ...values, ':least': least, ':greatest': greatest },
    };
  }
  if (prefix === '') return { condition: inPartition, values };
  return {
    condition: `${inPartition} AND begins_with(#sort, :least)`,
    values: { ...values, ':least': prefix },
  };
}
