/** Reads the placeholders of a request, and resolves them in expressions. */
import type { Parsed, Path } from './grammar.ts';
import { validation } from './validation.ts';
import { type Item, readValue, type Value } from './values.ts';

/** The attribute names and values that a request's placeholders stand for, by placeholder. */
export type Binding = { names: Record<string, string>; values: Record<string, Value> };

/** The fields of a request that define placeholders. */
export type Placeholders = {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
};

const none = {};

/** Reads a request's placeholders. Throws a ValidationException if a placeholder is undefined or unused. */
export function bind(request: Placeholders, expressions: (Parsed<unknown> | undefined)[]): Binding {
  const names = request.ExpressionAttributeNames;
  const values = request.ExpressionAttributeValues;
  declared('ExpressionAttributeNames', '#', names, expressions, 'names');
  declared('ExpressionAttributeValues', ':', values, expressions, 'values');
  const bound: Binding = { names: names ?? none, values: {} };
  for (const name in values) bound.values[name] = readValue(values[name]);
  return bound;
}

function declared(
  field: keyof Placeholders,
  sign: '#' | ':',
  stands: Record<string, unknown> | undefined,
  expressions: (Parsed<unknown> | undefined)[],
  kind: 'names' | 'values',
): void {
  const given = expressions.filter((expression) => expression !== undefined);
  const used = given.length === 1 ? given[0]![kind] : new Set(given.flatMap((one) => [...one[kind]]));
  for (const name of used) {
    if (stands === undefined || !Object.hasOwn(stands, name)) {
      throw validation(`A placeholder used in an expression is not defined: ${name}`);
    }
  }
  if (stands === undefined) return;
  if (given.length === 0) throw validation(`${field} can only be specified when using expressions`);
  const names = Object.keys(stands);
  if (names.length === 0) throw validation(`${field} must not be empty`);
  for (const name of names) {
    if (!/^[#:][A-Za-z0-9_]+$/.test(name) || !name.startsWith(sign)) {
      throw validation(`${field} contains invalid key: Syntax error; key: "${name}"`);
    }
    if (!used.has(name))
      throw validation(`Value provided in ${field} unused in expressions: keys: {${name}}`);
  }
}

/** Returns the attribute name of a step in a path. Replaces a placeholder by the name that it stands for. */
export const nameOf = (step: string, { names }: Binding): string =>
  step.startsWith('#') ? names[step]! : step;

/** Returns the steps of a path with placeholders resolved. */
export const stepsOf = ({ steps }: Path, binding: Binding): Path['steps'] =>
  steps.map((step) => (typeof step === 'string' ? nameOf(step, binding) : step));

/** Returns the value at a path in an item, or undefined if none exists. */
export function valueAt(item: Item, { steps }: Path, binding: Binding): Value | undefined {
  let value = attribute(item, nameOf(steps[0] as string, binding));
  for (let i = 1; value !== undefined && i < steps.length; i++) {
    const step = steps[i]!;
    if (typeof step === 'number') value = value.L?.[step];
    else value = value.M && attribute(value.M, nameOf(step, binding));
  }
  return value;
}

/**
 * Returns the value of an attribute, or undefined. Ignores names that every JavaScript object inherits, such
 * as `constructor`.
 */
export const attribute = (item: Item, name: string): Value | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

/** Throws a ValidationException if one path contains another, or if paths use one value as both a map and a list. */
export function rejectOverlap(paths: Path['steps'][]): void {
  for (const [index, path] of paths.entries()) {
    for (const other of paths.slice(0, index)) {
      const common = path.findIndex((step, at) => step !== other[at]);
      if (common === -1 || common >= other.length) {
        throw validation('Two document paths overlap with each other; must remove or rewrite one of them');
      }
      if (typeof path[common] !== typeof other[common]) {
        throw validation('Two document paths conflict with each other; must remove or rewrite one of them');
      }
    }
  }
}
