/** Reads and validates keys in items and requests. */
import { tableDefinition } from '../../../shared/table/keys.ts';
import { validation } from './validation.ts';
import { type Item, readValue, textSize, type Value } from './values.ts';

/** The primary key of an item: partition key and sort key. */
export type Key = { pk: string; sk: string };

const { partitionKey, sortKey, byTime } = tableDefinition;
/** The names of the table's key attributes: partition key and sort key. */
export const tableKeys: readonly string[] = [partitionKey, sortKey];
/** The names of the index's key attributes: partition key and sort key. */
export const indexKeys: readonly string[] = [byTime.partitionKey, byTime.sortKey];

const maxKeyBytes: Record<string, number> = {
  [partitionKey]: 2048,
  [sortKey]: 1024,
  [byTime.partitionKey]: 2048,
  [byTime.sortKey]: 1024,
};

/** Reads a key in a request. Throws a ValidationException unless the key has exactly the attributes `names`. */
export function readKeyFields(input: unknown, names = tableKeys): Record<string, Value> {
  const fields: Record<string, Value> = {};
  if (typeof input !== 'object' || input === null || Object.keys(input).length !== names.length) {
    throw validation('The number of conditions on the keys is invalid');
  }
  for (const name of names) {
    const given = (input as Record<string, unknown>)[name];
    if (given === undefined) throw validation('One of the required keys was not given a value');
    fields[name] = readValue(given);
  }
  for (const name in fields) refuseEmpty(name, fields[name]);
  return fields;
}

/** Returns an item's primary key. Throws a ValidationException if a key attribute is not a string or is too long. */
export function keyOf(fields: Record<string, Value>): Key {
  return { pk: keyText(fields, partitionKey), sk: keyText(fields, sortKey) };
}

function keyText(fields: Record<string, Value>, name: string): string {
  const text = fields[name]?.S;
  if (text === undefined)
    throw validation('One or more parameter values were invalid: Type mismatch for key');
  if (textSize(text) > maxKeyBytes[name]!) {
    throw validation(
      'Hash primary key values must be under 2048 bytes, and range primary key values must be under 1024 bytes',
    );
  }
  return text;
}

/** Throws a ValidationException if the value of a key attribute is an empty string. */
export function refuseEmpty(name: string, value: Value | undefined): void {
  if (value?.S !== '') return;
  throw validation(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
  );
}

/** Throws a ValidationException if a key attribute of the index is empty or too long. */
export function refuseIndexKeys(item: Item): void {
  for (const name of indexKeys) {
    refuseEmpty(name, item[name]);
    if (textSize(item[name]?.S ?? '') > maxKeyBytes[name]!) {
      throw validation('One or more parameter values were invalid: Size limit exceeded');
    }
  }
}

/** Throws a ValidationException if a key attribute of the index is not a string. */
export function refuseIndexTypes(item: Item): void {
  if (indexKeys.some((name) => item[name] && item[name].S === undefined)) {
    throw validation('One or more parameter values were invalid: Type mismatch for Index Key');
  }
}
