/** Executes `Query` on the simulated table: reads one page of a partition of the table or index. */
import { tableDefinition } from '../../../shared/table/keys.ts';
import { readFilter, readKeyCondition } from './condition-grammar.ts';
import { checkCondition, holds } from './conditions.ts';
import { checkFields, type Database, fieldSet } from './database.ts';
import type { Condition } from './grammar.ts';
import { type KeyRange, keyRangeOf } from './key-conditions.ts';
import { indexKeys, keyOf, readKeyFields, tableKeys } from './keys.ts';
import { type Binding, bind, nameOf, type Placeholders } from './placeholders.ts';
import { type Projection, project, projectionOf } from './projections.ts';
import { comparePlaces, type Place, type Rows } from './sorted-rows.ts';
import type { Row } from './table.ts';
import type { IndexRow, Version } from './table-index.ts';
import { readUnits, throttled } from './throughput.ts';
import { readProjection } from './update-grammar.ts';
import { checkChoice, validation } from './validation.ts';
import type { Item } from './values.ts';

export type QueryInput = Placeholders & {
  IndexName?: string;
  ConsistentRead?: boolean;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  Select?: string;
  Limit?: number;
  ExclusiveStartKey?: unknown;
  ScanIndexForward?: boolean;
};

const fields = fieldSet(
  'TableName IndexName ConsistentRead KeyConditionExpression FilterExpression ProjectionExpression Select Limit ' +
    'ExclusiveStartKey ScanIndexForward ExpressionAttributeNames ExpressionAttributeValues',
);
const maxPageBytes = 1024 * 1024;

export function query(input: QueryInput, database: Database) {
  checkFields(input, fields, database);
  const { range, keys, start, filter, projection } = readQuery(input);
  const kind = input.IndexName === undefined ? 'TableRead' : 'IndexRead';
  if (!database.throughput.has(kind, range.partition)) throw throttled(kind, database.tableName);
  const { found, end, bytes } = pageOf(rowsOf(input, range, start, database), input, range);
  database.throughput.take(kind, range.partition, readUnits(bytes, input.ConsistentRead === true));
  const items = filter ? found.filter(filter) : found;
  return {
    ...(input.Select !== 'COUNT' && {
      Items: projection ? items.map((item) => project(item, projection)) : items,
    }),
    Count: items.length,
    ScannedCount: found.length,
    ...(end && { LastEvaluatedKey: fieldsOf(end, keys) }),
  };
}

type Read = {
  range: KeyRange;
  /** The names of the key attributes in `LastEvaluatedKey` and `ExclusiveStartKey`. */
  keys: readonly string[];
  start: Place | undefined;
  filter: ((item: Item) => boolean) | undefined;
  projection: Projection | undefined;
};

function readQuery(input: QueryInput): Read {
  const inIndex = checkIndex(input);
  const { KeyConditionExpression: text, FilterExpression, ProjectionExpression, Limit: limit } = input;
  if (text === undefined) throw validation('KeyConditionExpression must be specified in the request.');
  if (limit !== undefined && !(limit >= 1)) throw validation('Limit must be greater than or equal to 1');
  const condition = readKeyCondition(text);
  const filter = FilterExpression === undefined ? undefined : readFilter(FilterExpression);
  const paths = ProjectionExpression === undefined ? undefined : readProjection(ProjectionExpression);
  checkSelect(input, inIndex);
  const binding = bind(input, [condition, filter, paths]);
  checkCondition(condition.says, binding);
  const own = inIndex ? indexKeys : tableKeys;
  if (filter) {
    checkCondition(filter.says, binding);
    refuseKeys(filter.says, own, binding);
  }
  const range = keyRangeOf(condition.says, binding, own);
  const keys = inIndex ? [...indexKeys, ...tableKeys] : tableKeys;
  return {
    range,
    keys,
    start: startOf(input, range, keys),
    filter: filter && ((item) => holds(filter.says, item, binding)),
    projection: paths && projectionOf(paths.says, binding),
  };
}

function checkIndex({ IndexName: name, ConsistentRead: consistent }: QueryInput): boolean {
  if (name === undefined) return false;
  if (name !== tableDefinition.byTime.name) throw validation('The table does not have the specified index');
  if (consistent) throw validation('Consistent reads are not supported on global secondary indexes');
  return true;
}

function checkSelect(
  { Select: select, ProjectionExpression: projection }: QueryInput,
  inIndex: boolean,
): void {
  checkChoice(select, ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'COUNT', 'SPECIFIC_ATTRIBUTES']);
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && !inIndex) {
    throw validation('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  }
  if (select !== undefined && (select === 'SPECIFIC_ATTRIBUTES') !== (projection !== undefined)) {
    throw validation('A ProjectionExpression goes with SPECIFIC_ATTRIBUTES, and with no other Select');
  }
}

function refuseKeys(condition: Condition, keys: readonly string[], binding: Binding): void {
  if (condition.kind !== 'test') {
    for (const part of condition.of) refuseKeys(part, keys, binding);
    return;
  }
  for (const operand of condition.of) {
    const path = operand.kind === 'call' ? operand.of[0] : operand;
    if (path?.kind === 'path' && keys.includes(nameOf(path.steps[0] as string, binding))) {
      throw validation('Filter Expression can only contain non-primary key attributes');
    }
  }
}

function startOf(
  { ExclusiveStartKey: input, ScanIndexForward: forward = true }: QueryInput,
  range: KeyRange,
  keys: readonly string[],
) {
  if (input === undefined) return undefined;
  const given = readKeyFields(input, keys);
  const { pk, sk } = keyOf(given);
  const [partition, sort] = keys.map((name) => given[name]?.S);
  if (partition === undefined || sort === undefined) throw validation('The provided starting key is invalid');
  const isLast = keys === tableKeys && sort === range.last(forward);
  if (partition !== range.partition || range.side(sort) !== 0 || isLast) {
    throw validation('The provided starting key does not match the range key predicate');
  }
  return { sort, tie: keys === tableKeys ? '' : `${pk}\0${sk}` };
}

/** Yields the items that a query reads, in the query's order. An eventually consistent read may yield old versions. */
function* rowsOf(
  { IndexName, ConsistentRead: consistent, ScanIndexForward: forward = true }: QueryInput,
  range: KeyRange,
  start: Place | undefined,
  { table }: Database,
): Generator<Version> {
  const rows: Rows<Row | IndexRow> =
    IndexName === undefined ? table.rows(range.partition) : table.indexRows(range.partition);
  const isBefore = (row: Place) => {
    if (start) return comparePlaces(row, start) < (forward ? 1 : 0);
    return range.side(row.sort) < (forward ? 0 : 1);
  };
  for (const row of rows.from(isBefore, forward)) {
    if (range.side(row.sort) !== 0) return;
    const version = 'version' in row ? row.version : consistent ? row.current : table.stale(row);
    if (version) yield version;
  }
}

/** Returns a page's items and their total size in bytes. `end` is undefined if no items can follow. */
function pageOf(
  versions: Iterable<Version>,
  {
    Limit: limit = Number.POSITIVE_INFINITY,
    IndexName: inIndex,
    ScanIndexForward: forward = true,
  }: QueryInput,
  range: KeyRange,
) {
  const last = inIndex === undefined ? range.last(forward) : undefined;
  const found: Item[] = [];
  let bytes = 0;
  for (const { item, size } of versions) {
    found.push(item);
    bytes += size;
    if (found.length < limit && bytes <= maxPageBytes) continue;
    const isLast = last !== undefined && item[tableDefinition.sortKey]!.S === last;
    return { found, end: isLast ? undefined : item, bytes };
  }
  return { found, end: undefined, bytes };
}

const fieldsOf = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.map((name) => [name, item[name]!]));
