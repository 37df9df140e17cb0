/** Validates the actions of parsed updates, and applies them to items. */

import { addNumbers, compareNumbers } from './decimal.ts';
import type { Action, Operand, Path } from './grammar.ts';
import { attribute, type Binding, nameOf, rejectOverlap, stepsOf, valueAt } from './placeholders.ts';
import { validation } from './validation.ts';
import { compareText, type Item, readItem, type Type, typeOf, type Value } from './values.ts';

/** Validates an update's actions before the item is read. Throws a ValidationException if an action is invalid. */
export function checkUpdate(actions: Action[], binding: Binding): void {
  rejectOverlap(actions.map(({ path }) => stepsOf(path, binding)));
  for (const { section, operand } of actions) {
    if (section === 'SET') checkOperand(operand!, binding);
    if (section === 'ADD') refuseType(section, operand!, ['N', 'SS', 'NS'], binding);
    if (section === 'DELETE') refuseType(section, operand!, ['SS', 'NS'], binding);
  }
}

function checkOperand(operand: Operand, binding: Binding): void {
  if (operand.kind === 'sum') {
    for (const term of operand.of) {
      checkOperand(term, binding);
      refuseType(operand.operator, term, ['N'], binding);
    }
  }
  if (operand.kind !== 'call') return;
  const { name, of } = operand;
  if (name !== 'if_not_exists' && name !== 'list_append') {
    throw validation(`The function is not allowed in an update expression; function: ${name}`);
  }
  if (of.length !== 2) {
    throw validation(`Incorrect number of operands for operator or function; operator or function: ${name}`);
  }
  for (const part of of) checkOperand(part, binding);
  if (name === 'list_append') for (const list of of) refuseType(name, list, ['L'], binding);
  else if (of[0]!.kind !== 'path') {
    throw validation(`Operator or function requires a document path; operator or function: ${name}`);
  }
}

function refuseType(operator: string, operand: Operand, fitting: Type[], { values }: Binding): void {
  const type = staticType(operand, values);
  if (type && !fitting.includes(type)) {
    throw validation(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    );
  }
}

function staticType(operand: Operand, values: Binding['values']): Type | undefined {
  if (operand.kind === 'value') return typeOf(values[operand.name]!);
  if (operand.kind === 'sum') return 'N';
  return operand.kind === 'call' && operand.name === 'list_append' ? 'L' : undefined;
}

/**
 * Returns the updated item. All actions read the item's values before the update. Throws a ValidationException for an
 * invalid action.
 */
export function updated(before: Item, actions: Action[], binding: Binding): Item {
  const values = actions.map(({ path, section, operand }) => {
    if (section === 'SET') return evaluate(operand!, before, binding);
    if (section === 'REMOVE') return undefined;
    const given = evaluate(operand!, before, binding);
    const old = valueAt(before, path, binding);
    return section === 'ADD' ? added(old, given) : old && without(old, given);
  });
  const after = { ...before };
  const own = new Set<string>();
  const removals: Removal[] = [];
  const additions: { list: Value[]; index: number; value: Value }[] = [];
  for (const [index, { path, section }] of actions.entries()) {
    const name = nameOf(path.steps[0] as string, binding);
    if (path.steps.length > 1 && !own.has(name)) {
      own.add(name);
      const kept = attribute(after, name);
      // Copies the attribute before changing nested values, because other versions of the item share the
      // attribute.
      if (kept) after[name] = readItem({ kept }).kept!;
    }
    const place = placeOf(after, path, binding);
    const value = values[index];
    if (value === undefined) {
      if (section !== 'DELETE' || valueAt(before, path, binding)) removals.push(place);
    } else if ('list' in place && place.index >= place.list.length) {
      additions.push({ list: place.list, index: place.index, value });
    } else if ('list' in place) place.list[place.index] = value;
    else place.map[place.name] = value;
  }
  // Appends the elements with indexes beyond the end of a list, in order of their indexes.
  for (const { list, value } of additions.sort((a, b) => a.index - b.index)) list.push(value);
  remove(removals);
  return after;
}

type Removal = { map: Item; name: string } | { list: Value[]; index: number };

/** Returns the map or list that contains the last step of a path, with the step's name or index. */
function placeOf(item: Item, path: Path, binding: Binding): Removal {
  const last = path.steps.at(-1)!;
  if (path.steps.length === 1) return { map: item, name: nameOf(last as string, binding) };
  const parent = valueAt(item, { kind: 'path', steps: path.steps.slice(0, -1) }, binding);
  if (typeof last === 'number' && parent?.L) return { list: parent.L, index: last };
  if (typeof last === 'string' && parent?.M) return { map: parent.M, name: nameOf(last, binding) };
  throw validation('The document path provided in the update expression is invalid for update');
}

function remove(removals: Removal[]): void {
  const lists: { list: Value[]; index: number }[] = [];
  for (const place of removals) {
    if ('list' in place) lists.push(place);
    else delete place.map[place.name];
  }
  // Removes the elements with the highest indexes first, so that the indexes of the remaining removals stay
  // valid.
  for (const { list, index } of lists.sort((a, b) => b.index - a.index)) list.splice(index, 1);
}

function evaluate(operand: Operand, before: Item, binding: Binding): Value {
  if (operand.kind === 'value') return binding.values[operand.name]!;
  if (operand.kind === 'path') return valueAt(before, operand, binding) ?? absent();
  if (operand.kind === 'sum') {
    const [a, b] = operand.of.map((term) => evaluate(term, before, binding).N ?? mistyped());
    return { N: addNumbers(a!, b!, operand.operator) };
  }
  const [first, second] = operand.of as [Operand, Operand];
  if (operand.name === 'if_not_exists') {
    return valueAt(before, first as Path, binding) ?? evaluate(second, before, binding);
  }
  const [a, b] = [first, second].map((list) => evaluate(list, before, binding).L ?? mistyped());
  return { L: [...a!, ...b!] };
}

function added(old: Value | undefined, given: Value): Value {
  if (old === undefined) return given;
  if (given.N !== undefined) return { N: addNumbers(old.N ?? mistyped(), given.N) };
  const type = given.SS ? 'SS' : 'NS';
  const members = new Set([...(old[type] ?? mistyped()), ...given[type]!]);
  return { [type]: [...members].sort(type === 'SS' ? compareText : compareNumbers) };
}

/** Returns a set without the members of another set, or undefined if no members remain. */
function without(old: Value, given: Value): Value | undefined {
  const type = given.SS ? 'SS' : 'NS';
  const gone = new Set(given[type]);
  const members = (old[type] ?? mistyped()).filter((member) => !gone.has(member));
  return members.length > 0 ? { [type]: members } : undefined;
}

function absent(): never {
  throw validation('The provided expression refers to an attribute that does not exist in the item');
}

function mistyped(): never {
  throw validation('An operand in the update expression has an incorrect data type');
}
