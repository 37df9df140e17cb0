/** Validates and executes writes of one item of the simulated table: put, update, delete and condition check. */
import { awsError } from '../../../infra/develop/local/aws/error.ts';
import { readCondition } from './condition-grammar.ts';
import { checkCondition, holds } from './conditions.ts';
import { type Change, checkFields, commit, type Database, fieldSet, unitsOf } from './database.ts';
import type { Action, Condition, Parsed } from './grammar.ts';
import {
  indexKeys,
  type Key,
  keyOf,
  readKeyFields,
  refuseEmpty,
  refuseIndexKeys,
  refuseIndexTypes,
  tableKeys,
} from './keys.ts';
import { type Binding, bind, nameOf, type Placeholders } from './placeholders.ts';
import { project, projectionOf } from './projections.ts';
import type { Version } from './table-index.ts';
import { throttled, writeUnits } from './throughput.ts';
import { readUpdate } from './update-grammar.ts';
import { checkUpdate, updated } from './updates.ts';
import { checkChoice, validation } from './validation.ts';
import { type Item, isEqualItem, itemSize, readItem } from './values.ts';

/** A parsed write of one item, validated as far as possible without reading the item. */
export type Write = {
  /** The attributes in the request: the whole item for a put, otherwise the primary key. */
  fields: Item;
  /** Returns the item's primary key. Throws a ValidationException if the key is invalid. */
  key(): Key;
  /** Returns whether the write's condition is true for the item as it is before the write. */
  allowed(before: Item | undefined): boolean;
  /**
   * Returns the item after the write, undefined after a deletion. Throws a ValidationException for an invalid
   * update.
   */
  change(before: Version | undefined, key: Key): Version | undefined;
  /** Whether the error of a failed condition contains the item as it was before the write. */
  returnsOld: boolean;
  /** The write's size in bytes, which counts toward DynamoDB's limit of 4 MB for a transaction. */
  size: number;
};

type Conditional = Placeholders & {
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnValues?: string;
};
export type PutInput = Conditional & { Item: unknown };
export type DeleteInput = Conditional & { Key: unknown };
export type UpdateInput = DeleteInput & { UpdateExpression?: string };

export const maxItemBytes = 400 * 1024;

const conditional =
  'TableName ConditionExpression ExpressionAttributeNames ExpressionAttributeValues ReturnValuesOnConditionCheckFailure';
/** The request fields that each action of a transaction may have. */
export const writeFields = {
  Put: fieldSet(`${conditional} Item`),
  Delete: fieldSet(`${conditional} Key`),
  Update: fieldSet(`${conditional} Key UpdateExpression`),
  ConditionCheck: fieldSet(`${conditional} Key`),
};

/** Parses and validates a put, which creates or replaces an item. */
export function putOf(input: PutInput): Write {
  const item = readItem(input.Item);
  for (const name of tableKeys) {
    if (!item[name]) throw validation('One of the required keys was not given a value');
    refuseEmpty(name, item[name]);
  }
  refuseIndexKeys(item);
  const version = { item, size: itemSize(item) };
  if (version.size > maxItemBytes) throw validation('Item size has exceeded the maximum allowed size');
  return {
    ...guardOf(input),
    fields: item,
    key() {
      refuseIndexTypes(item);
      return keyOf(item);
    },
    change: () => version,
    size: version.size,
  };
}

export function deleteOf(input: DeleteInput): Write {
  const fields = readKeyFields(input.Key);
  return {
    ...guardOf(input),
    fields,
    key: () => keyOf(fields),
    change: () => undefined,
    size: itemSize(fields),
  };
}

/** Parses and validates a condition check, a part of a transaction that changes nothing. */
export function checkOf(input: DeleteInput): Write {
  if (input.ConditionExpression === undefined) throw validation('ConditionExpression must not be null');
  return { ...deleteOf(input), change: (before) => before };
}

/** Parses and validates an update, which changes some attributes or creates the item. */
export function updateOf(input: UpdateInput): Write & { actions: Action[]; binding: Binding } {
  const fields = readKeyFields(input.Key);
  const update = input.UpdateExpression === undefined ? undefined : readUpdate(input.UpdateExpression);
  const guard = guardOf(input, update);
  const { binding } = guard;
  const actions = update?.says ?? [];
  checkUpdate(actions, binding);
  for (const { path, operand } of actions) {
    const name = nameOf(path.steps[0] as string, binding);
    const isOfIndex = path.steps.length === 1 && indexKeys.includes(name);
    if (isOfIndex && operand?.kind === 'value') refuseIndexKeys({ [name]: binding.values[operand.name]! });
  }
  return {
    ...guard,
    fields,
    actions,
    key: () => keyOf(fields),
    change(before) {
      refuseKeyUpdate(actions, binding);
      const item = updated(before?.item ?? fields, actions, binding);
      refuseIndexTypes(item);
      refuseIndexKeys(item);
      const size = itemSize(item);
      if (size > maxItemBytes) throw validation('Item size to update has exceeded the maximum allowed size');
      return { item, size };
    },
    size: itemSize(fields) + itemSize(binding.values),
  };
}

function refuseKeyUpdate(actions: Action[], binding: Binding): void {
  for (const { path } of actions) {
    const name = nameOf(path.steps[0] as string, binding);
    if (!tableKeys.includes(name)) continue;
    throw validation(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}

function guardOf(input: Conditional, update?: Parsed<unknown>) {
  const { ConditionExpression: text, ReturnValuesOnConditionCheckFailure: returned } = input;
  checkChoice(returned, ['NONE', 'ALL_OLD']);
  const condition: Parsed<Condition> | undefined = text === undefined ? undefined : readCondition(text);
  const binding = bind(input, [condition, update]);
  if (condition) checkCondition(condition.says, binding);
  return {
    binding,
    allowed: (before: Item | undefined) => !condition || holds(condition.says, before ?? {}, binding),
    returnsOld: returned === 'ALL_OLD',
  };
}

/**
 * Returns the write's change without applying it. Throws if the write is throttled or invalid, or if its condition is
 * false.
 */
export function tryWrite(write: Write, key: Key, { table, throughput, tableName }: Database): Change {
  if (!throughput.has('TableWrite', key.pk)) throw throttled('TableWrite', tableName);
  const before = table.find(key);
  if (!write.allowed(before?.item)) {
    throughput.take('TableWrite', key.pk, writeUnits(before?.size ?? 0));
    const error = awsError('ConditionalCheckFailedException', 'The conditional request failed');
    if (write.returnsOld && before) error.fields = { Item: before.item };
    throw error;
  }
  const change = { key, before, after: write.change(before, key) };
  for (const { kind, partition } of unitsOf(change)) {
    if (!throughput.has(kind, partition)) throw throttled(kind, tableName);
  }
  return change;
}

/** Executes a write outside a transaction. Returns the change. */
export function carryOut(write: Write, database: Database): Change {
  const change = tryWrite(write, write.key(), database);
  for (const { kind, partition, units } of unitsOf(change)) database.throughput.take(kind, partition, units);
  commit([change], database);
  return change;
}

const single = {
  put: fieldSet(`${conditional} Item ReturnValues`),
  delete: fieldSet(`${conditional} Key ReturnValues`),
  update: fieldSet(`${conditional} Key UpdateExpression ReturnValues`),
};

export function putItem(input: PutInput, database: Database) {
  checkFields(input, single.put, database);
  checkChoice(input.ReturnValues, ['NONE', 'ALL_OLD']);
  return oldItem(input, carryOut(putOf(input), database));
}

export function deleteItem(input: DeleteInput, database: Database) {
  checkFields(input, single.delete, database);
  checkChoice(input.ReturnValues, ['NONE', 'ALL_OLD']);
  return oldItem(input, carryOut(deleteOf(input), database));
}

function oldItem({ ReturnValues: returned = 'NONE' }: Conditional, { before }: Change) {
  return returned === 'ALL_OLD' && before ? { Attributes: before.item } : {};
}

export function updateItem(input: UpdateInput, database: Database) {
  checkFields(input, single.update, database);
  const { ReturnValues: returned = 'NONE' } = input;
  checkChoice(returned, ['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW']);
  const write = updateOf(input);
  const { before, after } = carryOut(write, database);
  const item = returned.endsWith('_OLD') ? before?.item : after!.item;
  if (returned === 'NONE' || !item) return {};
  if (returned.startsWith('ALL_')) return { Attributes: item };
  const paths = write.actions.map(({ path }) => path);
  const attributes = project(item, projectionOf(paths, write.binding));
  return isEqualItem(attributes, {}) ? {} : { Attributes: attributes };
}
