/** Makes random expressions. All values and some of the names are placeholders. */
import type { Random } from '../random.ts';
import { type AttributeName, attributeNames, valueFor } from './random-items.ts';
import { compareValues, type Value } from './values.ts';

/** Creates and collects the placeholders of one request. */
export type Placeholders = {
  /** Returns an attribute name, or at random a placeholder for the name. */
  name(name: string): string;
  value(value: Value): string;
  /** Returns the fields of the request that define the collected placeholders. */
  fields(): object;
};

const reserved = new Set(['ttl']);

export function placeholdersOf(random: Random): Placeholders {
  const names: Record<string, string> = {};
  const values: Record<string, Value> = {};
  return {
    name(name) {
      if (reserved.has(name) ? random.chance(0.02) : random.chance(0.6)) return name;
      const known = Object.keys(names).find((placeholder) => names[placeholder] === name);
      const placeholder = known ?? `#n${Object.keys(names).length}`;
      names[placeholder] = name;
      return placeholder;
    },
    value(value) {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = value;
      return placeholder;
    },
    fields: () => ({
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    }),
  };
}

/** Returns a random attribute name, and a path that starts with this attribute. */
export function pathOf(
  random: Random,
  placeholders: Placeholders,
  { names = attributeNames, nested = 0.2 }: { names?: readonly AttributeName[]; nested?: number } = {},
): [AttributeName, string] {
  const name = random.pick(names);
  const path = placeholders.name(name);
  const intoMap = ['.a', '.b', '.l', '.l[0]', '.l[1]', '.none', '.none.a'];
  const intoList = ['[0]', '[1]', '[2][0]', '[3].a', '[9]'];
  if (!random.chance(name === 'm' || name === 'l' ? 2.5 * nested : 0.02)) return [name, path];
  return [name, path + random.pick(name === 'm' ? intoMap : intoList)];
}

/** Returns a random condition expression, nested at most three levels deep. */
export function conditionOf(random: Random, placeholders: Placeholders, depth = 0): string {
  const deeper = () => conditionOf(random, placeholders, depth + 1);
  const more = depth < 3 ? 1 : 0;
  const kind = random.weighted({
    test: 5,
    exists: 2,
    and: 1.5 * more,
    or: 1.5 * more,
    not: 0.5 * more,
    parentheses: 0.7 * more,
  });
  switch (kind) {
    case 'and':
      return `${deeper()} ${random.pick(['AND', 'and'])} ${deeper()}`;
    case 'or':
      return `${deeper()} OR ${deeper()}`;
    case 'not':
      return `NOT ${deeper()}`;
    case 'parentheses': {
      const inner = deeper();
      return inner.startsWith('(') && random.chance(0.9) ? inner : `(${inner})`;
    }
    case 'exists': {
      const path = random.chance(0.3) ? 'pk' : pathOf(random, placeholders)[1];
      return `attribute_${random.pick(['exists', 'not_exists'])}(${path})`;
    }
    case 'test':
      return testOf(random, placeholders);
  }
}

const ordered = ['n', 'version', 'ttl', 's'] as const;
const typeNames = ['S', 'N', 'L', 'M', 'SS', 'BOOL', 'NULL'];

function testOf(random: Random, placeholders: Placeholders): string {
  const kind = random.weighted({
    compare: 6,
    order: 4,
    between: 1,
    in: 1,
    begins: 1,
    contains: 1.5,
    size: 1,
    type: 0.7,
  });
  const names = (kind === 'order' || kind === 'between') && random.chance(0.97) ? ordered : attributeNames;
  const [name, path] = pathOf(random, placeholders, { names });
  const value = (of: AttributeName = name) => placeholders.value(valueFor(random, of));
  const other = () => (random.chance(0.1) ? pathOf(random, placeholders)[1] : value());
  switch (kind) {
    case 'compare':
      return `${path} ${random.pick(['=', '=', '<>'])} ${other()}`;
    case 'order':
      return `${path} ${random.pick(['<', '<=', '>', '>='])} ${other()}`;
    case 'between': {
      const bounds = [valueFor(random, name), valueFor(random, name)];
      if (random.chance(0.9)) bounds.sort((a, b) => compareValues(a, b) ?? 0);
      return `${path} BETWEEN ${bounds.map((bound) => placeholders.value(bound)).join(' AND ')}`;
    }
    case 'in':
      return `${path} IN (${Array.from({ length: 1 + random.below(3) }, other).join(', ')})`;
    case 'begins':
      return `begins_with(${path}, ${random.chance(0.95) ? placeholders.value({ S: random.pick(['', 'a', 'h', 'é']) }) : other()})`;
    case 'contains':
      return `contains(${path}, ${value(random.pick(['s', 'n', 'version', 'ss', 'l']))})`;
    case 'size':
      return `size(${random.chance(0.95) ? path : value()}) ${random.pick(['=', '<', '>='])} ${value('version')}`;
    case 'type':
      return `attribute_type(${path}, ${placeholders.value({ S: random.chance(0.97) ? random.pick(typeNames) : 'X' })})`;
  }
}

export function projectionOf(random: Random, placeholders: Placeholders): string {
  const paths = Array.from({ length: 1 + random.below(3) }, () => pathOf(random, placeholders)[1]);
  if (random.chance(0.5)) paths.push('sk');
  return [...new Set(paths)].join(', ');
}
