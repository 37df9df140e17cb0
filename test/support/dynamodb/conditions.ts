/** Validates parsed conditions, and evaluates them for an item. */

import type { Condition, Operand } from './grammar.ts';
import { type Binding, stepsOf, valueAt } from './placeholders.ts';
import { validation } from './validation.ts';
import { compareValues, type Item, isEqual, type Type, typeOf, type Value } from './values.ts';

/**
 * Checks the types of operands and the bounds of BETWEEN. Throws a ValidationException if a type or bound is invalid.
 */
export function checkCondition(condition: Condition, binding: Binding): void {
  if (condition.kind !== 'test') {
    for (const part of condition.of) checkCondition(part, binding);
    return;
  }
  const { operator, of } = condition;
  for (const [index, operand] of of.entries()) checkOperand(operator, index, operand, binding);
  if (operator !== 'attribute_type') refuseSameOperand(operator, of, binding);
  if (operator === 'BETWEEN') checkBounds(of, binding);
}

const ordered = new Set<Type>(['S', 'N']);
const text = new Set<Type>(['S']);
const measured = new Set<Type>(['S', 'L', 'M', 'SS', 'NS']);
/** The types of operands that an operator accepts. Operators that are not listed accept all types. */
const taken: Record<string, Set<Type>> = {
  '<': ordered,
  '<=': ordered,
  '>': ordered,
  '>=': ordered,
  BETWEEN: ordered,
  begins_with: text,
};
const types = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'BOOL', 'NULL', 'L', 'M']);

function checkOperand(operator: string, index: number, operand: Operand, binding: Binding): void {
  if (operator === 'attribute_type' && index === 1) {
    checkTypeName(operand, binding);
    return;
  }
  if (/^attribute_(not_)?exists$/.test(operator) && operand.kind !== 'path') {
    throw validation(`Operator or function requires a document path; operator or function: ${operator}`);
  }
  if (operand.kind === 'call') checkSize(operand, binding);
  const type = staticType(operand, binding);
  if (type && taken[operator] && !taken[operator].has(type)) throw incorrect(operator, type);
}

/** Returns an operand's type, or undefined if the type depends on the item. */
function staticType(operand: Operand, { values }: Binding): Type | undefined {
  if (operand.kind === 'value') return typeOf(values[operand.name]!);
  return operand.kind === 'call' ? 'N' : undefined;
}

function checkSize({ name, of }: Operand & { kind: 'call' }, binding: Binding): void {
  if (name !== 'size') {
    throw validation(`The function is not allowed to be used this way in an expression; function: ${name}`);
  }
  if (of.length !== 1) {
    throw validation('Incorrect number of operands for operator or function; operator or function: size');
  }
  const type = staticType(of[0]!, binding);
  if (type && !measured.has(type)) throw incorrect(name, type);
}

function checkTypeName(operand: Operand, binding: Binding): void {
  const type = staticType(operand, binding);
  if (operand.kind !== 'value' || type !== 'S') throw incorrect('attribute_type', type);
  const name = binding.values[operand.name]!.S!;
  if (!types.has(name)) throw validation(`Invalid attribute type name found; type: ${name}`);
}

function refuseSameOperand(operator: string, [first, ...rest]: Operand[], binding: Binding): void {
  const named = first?.kind === 'path' ? String(stepsOf(first, binding)) : undefined;
  if (rest.some((other) => other.kind === 'path' && String(stepsOf(other, binding)) === named)) {
    throw validation(
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}`,
    );
  }
}

function checkBounds([, min, max]: Operand[], { values }: Binding): void {
  if (min?.kind !== 'value' || max?.kind !== 'value') return;
  const order = compareValues(values[min.name]!, values[max.name]!);
  if (order === undefined) {
    throw validation('The BETWEEN operator requires same data type for lower and upper bounds');
  }
  if (order > 0) {
    throw validation('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
}

const incorrect = (operator: string, type: Type | undefined) =>
  validation(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  );

/** Returns whether a condition is true for an item. For a missing item, the caller passes `{}`. */
export function holds(condition: Condition, item: Item, binding: Binding): boolean {
  if (condition.kind === 'test') {
    const [first, ...rest] = condition.of.map((operand) => operandOf(operand, item, binding));
    return operators[condition.operator]!(first, ...rest);
  }
  const [first, second] = condition.of;
  if (condition.kind === 'not') return !holds(first, item, binding);
  // Skips the second condition if the first one decides: a true one decides an `or`, a false one an `and`.
  if (holds(first, item, binding) === (condition.kind === 'or')) return condition.kind === 'or';
  return holds(second!, item, binding);
}

function operandOf(operand: Operand, item: Item, binding: Binding): Value | undefined {
  if (operand.kind === 'value') return binding.values[operand.name];
  if (operand.kind === 'path') return valueAt(item, operand, binding);
  const measuredValue = operandOf(operand.of[0]!, item, binding);
  const size = measuredValue && sizeOf(measuredValue);
  return size === undefined ? undefined : { N: String(size) };
}

function sizeOf(value: Value): number | undefined {
  if (value.S !== undefined) return value.S.length;
  if (value.M) return Object.keys(value.M).length;
  return (value.L ?? value.SS ?? value.NS)?.length;
}

type Operator = (first: Value | undefined, ...rest: (Value | undefined)[]) => boolean;

const ordering =
  (fits: (order: number) => boolean): Operator =>
  (a, b) => {
    const order = a && b && compareValues(a, b);
    return order !== undefined && fits(order);
  };
const same: Operator = (a, b) => a !== undefined && b !== undefined && isEqual(a, b);
const atMost = ordering((order) => order <= 0);
const atLeast = ordering((order) => order >= 0);

const operators: Record<string, Operator> = {
  '=': same,
  '<>': (a, b) => !same(a, b),
  '<': ordering((order) => order < 0),
  '<=': atMost,
  '>': ordering((order) => order > 0),
  '>=': atLeast,
  BETWEEN: (value, min, max) => atLeast(value, min) && atMost(value, max),
  IN: (value, ...choices) => choices.some((choice) => same(value, choice)),
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type!.S,
  begins_with: (value, prefix) => prefix?.S !== undefined && value?.S?.startsWith(prefix.S) === true,
  contains(value, part) {
    if (value === undefined || part === undefined) return false;
    if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
    if (value.SS) return part.S !== undefined && value.SS.includes(part.S);
    if (value.NS) return part.N !== undefined && value.NS.includes(part.N);
    return value.L?.some((member) => isEqual(member, part)) ?? false;
  },
};
