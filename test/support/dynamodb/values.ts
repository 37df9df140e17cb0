/**
 * Reads, compares, measures and converts attribute values. Values have the form of DynamoDB's JSON and are
 * immutable once stored.
 */
import type { StoredItem } from '../../world/journal.ts';
import { compareNumbers, numberSize, readNumber } from './decimal.ts';
import { validation } from './validation.ts';

/** An attribute value: one field, named after the type. Binary values are Base64; binary sets are not supported. */
export type Value = {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: true;
  L?: Value[];
  M?: Item;
  SS?: string[];
  NS?: string[];
};
/** Attributes by name, of an item or a nested map. */
export type Item = Record<string, Value>;
export type Type = keyof Value;

const deepest = 32;

/** Returns the type of an attribute value. Throws a ValidationException if the value has no field. */
export function typeOf(value: Value): Type {
  for (const type in value) return type as Type;
  throw validation('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

/**
 * Copies the attributes in a request and normalizes their numbers. Throws a ValidationException if an
 * attribute is invalid.
 */
export function readItem(input: unknown, depth = 1): Item {
  if (typeof input !== 'object' || input === null) throw validation('An item has to be an object');
  const item: Item = {};
  for (const name in input) {
    if (name === '') throw validation('Empty attribute name');
    item[name] = readValue((input as Record<string, unknown>)[name], depth);
  }
  return item;
}

/** Copies one attribute value in a request. Throws a ValidationException if the value is invalid. */
export function readValue(input: unknown, depth = 1): Value {
  if (typeof input !== 'object' || input === null) throw validation('An AttributeValue has to be an object');
  const type = typeOf(input);
  if (Object.keys(input).length > 1) {
    throw validation('Supplied AttributeValue has more than one datatypes set, must contain exactly one');
  }
  if (depth > deepest) throw validation('Nesting Levels have exceeded supported limits');
  const content = (input as Record<string, unknown>)[type];
  switch (type) {
    case 'S':
      return { S: textIn(content) };
    case 'N':
      return { N: readNumber(content) };
    case 'B':
      return { B: binaryIn(content) };
    case 'BOOL':
      if (typeof content !== 'boolean') throw validation('A BOOL has to be true or false');
      return { BOOL: content };
    case 'NULL':
      if (content !== true) throw validation('Null attribute value types must have the value of true');
      return { NULL: true };
    case 'L':
      return { L: listIn(content).map((value) => readValue(value, depth + 1)) };
    case 'M':
      return { M: readItem(content, depth + 1) };
    case 'SS':
      return { SS: setOf(listIn(content).map(textIn), compareText) };
    case 'NS':
      return { NS: setOf(listIn(content).map(readNumber), compareNumbers) };
    default:
      throw validation(`Values of the type ${type} are not served here`);
  }
}

function textIn(content: unknown): string {
  if (typeof content !== 'string') throw validation('A text has to be one');
  return content;
}

function binaryIn(content: unknown): string {
  const bytes = textIn(content);
  if (Buffer.from(bytes, 'base64').toString('base64') !== bytes)
    throw validation('A binary has to be Base64');
  return bytes;
}

function listIn(content: unknown): unknown[] {
  if (!Array.isArray(content)) throw validation('A list has to be one');
  return content;
}

function setOf(members: string[], compare: (a: string, b: string) => number): string[] {
  if (members.length === 0)
    throw validation('One or more parameter values were invalid: A set may not be empty');
  members.sort(compare);
  if (members.some((member, index) => member === members[index - 1])) {
    throw validation('One or more parameter values were invalid: Input collection contains duplicates');
  }
  return members;
}

/** Compares two strings by the order of their UTF-8 bytes, as DynamoDB does. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    // In UTF-8 order, a character with two UTF-16 units (surrogates) comes after all characters with one
    // unit.
    if (isHalf(left) !== isHalf(right)) return isHalf(left) ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;

/** Returns whether two attribute values have the same type and content. */
export function isEqual(a: Value, b: Value): boolean {
  const type = typeOf(a);
  const [left, right] = [a[type], b[type]];
  if (left === right) return true;
  if (right === undefined) return false;
  if (type === 'L') return areEqual(a.L!, b.L!, isEqual);
  if (type === 'SS' || type === 'NS') return areEqual(a[type]!, b[type]!, (one, other) => one === other);
  return type === 'M' && isEqualItem(a.M!, b.M!);
}

export function isEqualItem(a: Item, b: Item): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name]!, b[name]!))
  );
}

const areEqual = <T>(a: T[], b: T[], same: (a: T, b: T) => boolean) =>
  a.length === b.length && a.every((member, index) => same(member, b[index]!));

/** Compares two strings or two numbers. Returns undefined for values of any other types. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareText(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return compareNumbers(a.N, b.N);
  return undefined;
}

/** Returns an item's size in bytes as AWS counts it, including attribute names. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const name in item) size += textSize(name) + valueSize(item[name]!);
  return size;
}

function valueSize(value: Value): number {
  switch (typeOf(value)) {
    case 'S':
      return textSize(value.S!);
    case 'N':
      return numberSize(value.N!);
    case 'B':
      return Buffer.byteLength(value.B!, 'base64');
    case 'L':
      return value.L!.reduce((size, member) => size + 1 + valueSize(member), 3);
    case 'M':
      return 3 + Object.keys(value.M!).length + itemSize(value.M!);
    case 'SS':
      return value.SS!.reduce((size, member) => size + textSize(member), 0);
    case 'NS':
      return value.NS!.reduce((size, member) => size + numberSize(member), 0);
    default:
      return 1;
  }
}

/** Returns the size of a string in UTF-8 bytes. */
export function textSize(text: string): number {
  if (text.length > 64) return Buffer.byteLength(text);
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
  return text.length;
}

export function toPlain(item: Item): StoredItem {
  const plain: Record<string, unknown> = {};
  for (const name in item) plain[name] = plainValue(item[name]!);
  return plain as StoredItem;
}

function plainValue(value: Value): unknown {
  switch (typeOf(value)) {
    case 'N':
      return Number(value.N);
    case 'B':
      return Buffer.from(value.B!, 'base64');
    case 'NULL':
      return null;
    case 'L':
      return value.L!.map(plainValue);
    case 'M':
      return toPlain(value.M!);
    case 'NS':
      return new Set(value.NS!.map(Number));
    case 'SS':
      return new Set(value.SS);
    default:
      return value.S ?? value.BOOL;
  }
}
