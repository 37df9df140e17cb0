import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Item, tableClient, tableName } from './client.ts';
import { type Key, type KeyRange, type TableRange, tableDefinition } from './keys.ts';

export type ReadOptions = {
  newestFirst?: boolean;
  /**
   * Whether to use strongly consistent reads. They cost twice as much, and the index `byTime` does not
   * support them.
   */
  consistent?: boolean;
  /** If absent or empty, all fields are returned. */
  fields?: string[];
  /** Field values that the returned items must have. DynamoDB also reads and charges for the other items. */
  where?: Record<string, string>;
};

/** The key after which a query starts. If undefined, the query starts at the beginning of the range. */
type StartKey = Key | Item | undefined;

/** Runs one query of up to `limit` items or 1 MB, before `where` is applied. `end` is the next query's `after`. */
export async function queryOnce(
  range: KeyRange,
  { limit, after, ...options }: ReadOptions & { limit?: number | undefined; after?: StartKey } = {},
): Promise<{ items: Item[]; end: Item | undefined }> {
  const { Items, LastEvaluatedKey } = await tableClient.send(
    new QueryCommand({ ...inputOf(range, options), Limit: limit, ExclusiveStartKey: after }),
  );
  const { fields = [] } = options;
  const found = Items ?? [];
  const items = fields.length > 0 ? found.map((item) => picked(item, fields)) : found;
  return { items, end: LastEvaluatedKey };
}

const picked = (item: Item, fields: string[]): Item =>
  Object.fromEntries(fields.filter((field) => field in item).map((field) => [field, item[field]]));

/** About 350 KB of records. Without a limit, DynamoDB Local reads all items before truncating to 1 MB. */
export const itemsPerQuery = 1000;

export async function* batches(
  range: KeyRange,
  { limit = itemsPerQuery, ...options }: ReadOptions & { limit?: number } = {},
): AsyncGenerator<Item[], undefined> {
  let after: StartKey;
  do {
    const { items, end } = await queryOnce(range, { ...options, limit, after });
    yield items;
    after = end;
  } while (after);
}

export async function readRange(
  range: KeyRange,
  { limit, after, ...options }: ReadOptions & { limit?: number | undefined; after?: StartKey } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let start = after;
  do {
    const maxItems = limit === undefined ? itemsPerQuery : limit - items.length;
    const { items: found, end } = await queryOnce(range, { ...options, limit: maxItems, after: start });
    items.push(...found);
    start = end;
  } while (start && (limit === undefined || items.length < limit));
  return items;
}

/** `last` is the last item's position, or undefined if no page follows. */
export type ItemPage<T = Item> = { items: T[]; last: string | undefined };

/** Takes one round trip, unless the items exceed 1 MB. */
export async function readPage(
  range: TableRange,
  { limit, after, ...options }: ReadOptions & { limit: number; after?: string | undefined },
): Promise<ItemPage> {
  const start = after === undefined ? undefined : keyAt(range, after);
  // Reads one item more than the page has. If this item exists, another page follows.
  const found = await readRange(range, { ...options, limit: limit + 1, after: start });
  const items = found.slice(0, limit);
  return { items, last: found.length > limit ? positionOf(range, items.at(-1)!) : undefined };
}

export async function countItems(range: KeyRange): Promise<number> {
  let count = 0;
  let start: StartKey;
  do {
    const { Count, LastEvaluatedKey } = await tableClient.send(
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

export const sortKeyOf = ({ inIndex }: KeyRange): string =>
  inIndex ? tableDefinition.byTime.sortKey : tableDefinition.sortKey;

export const positionOf = (range: KeyRange, item: Item): string =>
  String(item[sortKeyOf(range)]).slice(range.prefix.length);

/** Returns the primary key at a position of a range, even if no item has this key. */
const keyAt = ({ partition, prefix }: TableRange, position: string): Key => ({
  pk: partition,
  sk: prefix + position,
});

const primaryKey = [tableDefinition.partitionKey, tableDefinition.sortKey];

function inputOf(range: KeyRange, options: ReadOptions): QueryCommandInput {
  const { newestFirst = false, consistent = false, where = {}, fields = [] } = options;
  const { condition, values } = conditionOf(range);
  const names: Record<string, string> = { '#partition': partitionKeyOf(range) };
  if (values[':least'] !== undefined) names['#sort'] = sortKeyOf(range);
  // Also reads the primary key, because the codec uses the key to derive fields that are not stored.
  const read = [...new Set(fields.length > 0 ? [...fields, ...primaryKey] : [])];
  for (const [index, field] of read.entries()) names[`#field${index}`] = field;
  const filters = Object.entries(where).map(([field, value], index) => {
    names[`#filter${index}`] = field;
    values[`:filter${index}`] = value;
    return `#filter${index} = :filter${index}`;
  });
  return {
    TableName: tableName(),
    ...(range.inIndex ? { IndexName: tableDefinition.byTime.name } : { ConsistentRead: consistent }),
    KeyConditionExpression: condition,
    ...(filters.length > 0 ? { FilterExpression: filters.join(' AND ') } : {}),
    ...(read.length > 0 ? { ProjectionExpression: read.map((_, index) => `#field${index}`).join(', ') } : {}),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: !newestFirst,
  };
}

const partitionKeyOf = ({ inIndex }: KeyRange) =>
  inIndex ? tableDefinition.byTime.partitionKey : tableDefinition.partitionKey;

function conditionOf({ partition, prefix, between }: KeyRange) {
  const values: Record<string, string> = { ':partition': partition };
  const inPartition = '#partition = :partition';
  if (between) {
    const [first, last] = between.map((position) => prefix + position) as [string, string];
    return {
      condition: `${inPartition} AND #sort BETWEEN :least AND :greatest`,
      values: { ...values, ':least': first, ':greatest': last },
    };
  }
  if (prefix === '') return { condition: inPartition, values };
  return {
    condition: `${inPartition} AND begins_with(#sort, :least)`,
    values: { ...values, ':least': prefix },
  };
}
