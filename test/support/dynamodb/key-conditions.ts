/** Converts key conditions of queries to ranges of sort keys. */

import type { Condition, Operand } from './grammar.ts';
import { refuseEmpty } from './keys.ts';
import { type Binding, stepsOf } from './placeholders.ts';
import { validation } from './validation.ts';
import { compareText } from './values.ts';

/** A range of sort keys in a partition. */
export type KeyRange = {
  partition: string;
  /** Returns 0 for a key in the range, a negative number before it, a positive number after it. */
  side(sort: string): number;
  /** Returns the bound of `<=`, `>=` or `BETWEEN` at which a query in the given direction ends, or undefined. */
  last(forward: boolean): string | undefined;
};

const flipped: Record<string, string> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
type Test = { operator: string; name: string; bounds: string[] };

/**
 * Converts a condition on the key attributes `keys` to a range. Throws a ValidationException for an invalid
 * condition.
 */
export function keyRangeOf(condition: Condition, binding: Binding, keys: readonly string[]): KeyRange {
  const tests = new Map<string, Test>();
  for (const part of conjuncts(condition)) {
    const test = testOf(part, binding);
    if (tests.has(test.name)) {
      throw validation('KeyConditionExpressions must only contain one condition per key');
    }
    tests.set(test.name, test);
  }
  const [partition, sort] = keys.map((name) => tests.get(name));
  if (!partition || tests.size > (sort ? 2 : 1)) {
    throw validation('Query condition missed key schema element');
  }
  if (partition.operator !== '=') throw validation('Query key condition not supported');
  return {
    partition: partition.bounds[0]!,
    side: sort ? sideOf(sort) : () => 0,
    last: (forward) => sort && lastOf(sort, forward),
  };
}

function conjuncts(condition: Condition): Condition[] {
  return condition.kind === 'and' ? condition.of.flatMap(conjuncts) : [condition];
}

function testOf(condition: Condition, binding: Binding): Test {
  if (condition.kind !== 'test') {
    throw validation(`Invalid operator used in KeyConditionExpression: ${condition.kind}`);
  }
  const [first, ...rest] = condition.of as [Operand, ...Operand[]];
  let { operator } = condition;
  let [path, bounds] = [first, rest];
  if (rest.length === 1 && first.kind === 'value' && operator in flipped) {
    [path, bounds, operator] = [rest[0]!, [first], flipped[operator]!];
  }
  if (!(operator in flipped || operator === 'BETWEEN' || operator === 'begins_with')) {
    throw validation(`Invalid operator used in KeyConditionExpression: ${operator}`);
  }
  const steps = path.kind === 'path' ? stepsOf(path, binding) : [];
  if (steps.length !== 1)
    throw validation('KeyConditionExpressions cannot have conditions on nested attributes');
  const name = steps[0] as string;
  return { operator, name, bounds: bounds.map((bound) => boundOf(bound, name, binding)) };
}

function boundOf(operand: Operand, name: string, { values }: Binding): string {
  const value = operand.kind === 'value' ? values[operand.name]! : undefined;
  refuseEmpty(name, value);
  if (value?.S !== undefined) return value.S;
  throw validation(
    'One or more parameter values were invalid: Condition parameter type does not match schema type',
  );
}

function sideOf({ operator, bounds }: Test): KeyRange['side'] {
  const [first, second] = bounds as [string, string];
  switch (operator) {
    case '=':
      return (sort) => compareText(sort, first);
    case '<':
      return (sort) => (compareText(sort, first) < 0 ? 0 : 1);
    case '<=':
      return (sort) => (compareText(sort, first) <= 0 ? 0 : 1);
    case '>':
      return (sort) => (compareText(sort, first) > 0 ? 0 : -1);
    case '>=':
      return (sort) => (compareText(sort, first) >= 0 ? 0 : -1);
    case 'BETWEEN':
      return (sort) => (compareText(sort, first) < 0 ? -1 : compareText(sort, second) > 0 ? 1 : 0);
    default:
      return (sort) => (sort.startsWith(first) ? 0 : compareText(sort, first));
  }
}

function lastOf({ operator, bounds }: Test, forward: boolean): string | undefined {
  if (operator === 'BETWEEN') return bounds[forward ? 1 : 0];
  return operator === (forward ? '<=' : '>=') ? bounds[0] : undefined;
}
