/** Makes random update expressions. Most actions are valid for the type of their attribute. */
import type { Random } from '../random.ts';
import { type Placeholders, pathOf } from './random-expressions.ts';
import { type AttributeName, attributeNames, valueFor } from './random-items.ts';
import type { Item } from './values.ts';

type Action = [section: 'SET' | 'REMOVE' | 'ADD' | 'DELETE', text: string];

const kinds = { set: 4, remove: 1.5, add: 2, delete: 0.7, sum: 1, absent: 1, append: 0.7, copy: 0.4 };
const numbers = ['n', 'version', 'ttl'] as const;
const sets = ['ss', 'ns'] as const;
/** Attributes whose type is valid for a kind of action. An unlisted kind is valid for all attributes. */
const fitting: { [kind in keyof typeof kinds]?: readonly AttributeName[] } = {
  add: [...numbers, ...sets],
  delete: sets,
  sum: numbers,
  append: ['l'],
};

/** Returns a random update expression, which sometimes also changes a key attribute. */
export function updateOf(random: Random, placeholders: Placeholders, indexKey: Item): string {
  const actions: Action[] = [];
  const seen = new Set<AttributeName>();
  for (let left = 1 + random.below(4); left > 0; left--) {
    const kind = random.weighted(kinds);
    const all = (random.chance(0.97) && fitting[kind]) || attributeNames;
    // DynamoDB refuses two actions on one attribute, so attributes that already have an action are rarely chosen.
    const names = all.filter((name) => !seen.has(name) || random.chance(0.02));
    if (names.length === 0) continue;
    const name = random.pick(names);
    seen.add(name);
    actions.push(actionOf(random, placeholders, kind, name));
  }
  if (random.chance(0.15)) {
    const isRemoved = random.chance(0.5);
    for (const name in indexKey) {
      const path = placeholders.name(name);
      const value = () => placeholders.value(random.chance(0.95) ? indexKey[name]! : { N: '1' });
      actions.push(isRemoved ? ['REMOVE', path] : ['SET', `${path} = ${value()}`]);
    }
  }
  if (random.chance(0.01)) actions.push(['SET', `sk = ${placeholders.value({ S: 'x' })}`]);
  return (['SET', 'REMOVE', 'ADD', 'DELETE'] as const)
    .map((section) => [section, actions.filter(([of]) => of === section).map(([, text]) => text)] as const)
    .filter(([, texts]) => texts.length > 0)
    .map(([section, texts]) => `${section} ${texts.join(', ')}`)
    .join(' ');
}

function actionOf(
  random: Random,
  placeholders: Placeholders,
  kind: keyof typeof kinds,
  name: AttributeName,
): Action {
  const [, path] = pathOf(random, placeholders, { names: [name] });
  const value = (of = name) => placeholders.value(valueFor(random, of));
  switch (kind) {
    case 'set':
      return ['SET', `${path} = ${value()}`];
    case 'remove':
      return ['REMOVE', path];
    case 'add':
      return ['ADD', `${path} ${value()}`];
    case 'delete':
      return ['DELETE', `${path} ${value()}`];
    case 'sum': {
      const first = random.pick([() => path, value, () => placeholders.name('n')])();
      return ['SET', `${path} = ${first} ${random.pick(['+', '-'])} ${value('n')}`];
    }
    case 'absent': {
      const other = random.chance(0.7) ? path : pathOf(random, placeholders)[1];
      return ['SET', `${path} = if_not_exists(${other}, ${value()})`];
    }
    case 'append': {
      const list = random.chance(0.4) ? path : `if_not_exists(${path}, ${value('l')})`;
      return ['SET', `${path} = list_append(${list}, ${value('l')})`];
    }
    case 'copy':
      return ['SET', `${path} = ${pathOf(random, placeholders, { nested: 0.1 })[1]}`];
  }
}
