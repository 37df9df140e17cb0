/** Makes random keys, items and ranges from a few names, so that commands often use the same item. */
import { definition } from '../../../shared/table/keys.ts';
import type { Random } from '../random.ts';
import type { Item, Value } from './values.ts';

/** Makes the random keys and items of one run of random commands. */
export type Names = {
  key(): Item;
  /** Returns a key outside the partition whose items have 60 KB or more. */
  smallKey(): Item;
  /** Returns a key with an invalid or additional attribute. */
  invalidKey(): Item;
  item(): Item;
  /** Returns an item with an unusual attribute. Most of these items are invalid. */
  mostlyInvalidItem(): Item;
  /** Returns a random index key for a primary key. Different items have different index keys. */
  indexKey(key: Item): Item;
  token(): string;
  range(): RandomRange;
};
/** A random range of keys in the table or index, for a query. */
export type RandomRange = {
  inIndex: boolean;
  /** Whether the range is in the partition of large items, which have 60 KB or more. */
  big: boolean;
  keys: readonly [partition: string, sort: string];
  partition: string;
  sort(): string;
  start(): Item;
};

const { partitionKey, sortKey, byTime } = definition;
const sorts = ['a', 'b', 'b1', 'b2', 'bz', 'c', 'Z', 'é', '\u{1F600}', '\uE000', '~'];
const small = ['a', 'b', 'c'];

/**
 * Returns functions that make the keys and items of a run. All partition keys start with `run`, so that runs share no
 * items.
 */
export function namesOf(random: Random, run: string): Names {
  const keyIn = (letters: string[]): Item => ({
    [partitionKey]: { S: `${run}#${random.pick(letters)}` },
    [sortKey]: { S: random.pick(sorts) },
  });
  const key = () => keyIn(random.chance(0.01) ? ['big'] : small);
  const indexKey = (of: Item): Item => ({
    [byTime.partitionKey]: {
      S: `${run}#${of[partitionKey]?.S?.endsWith('big') ? 'big' : random.pick(['i', 'j'])}`,
    },
    [byTime.sortKey]: { S: `${random.pick(['1', '2', '3'])}${of[partitionKey]?.S?.at(-1)}${of[sortKey]?.S}` },
  });
  const item = (): Item => {
    const own = key();
    const large = own[partitionKey]!.S!.endsWith('big');
    return {
      ...own,
      ...(random.chance(0.6) && (random.chance(0.95) ? indexKey(own) : pickOne(indexKey(own), random))),
      ...attributesOf(random),
      ...(large && { big: { S: 'x'.repeat(60_000 + random.below(360_000)) } }),
    };
  };
  let count = 0;
  return {
    key,
    smallKey: () => keyIn(small),
    invalidKey: () => ({ ...key(), ...oddKeyPart(random) }),
    item,
    mostlyInvalidItem: () => ({ ...item(), ...random.pick(oddParts(random)) }),
    indexKey,
    token: () => `${run}-${count++}`,
    range: () => rangeOf(random, run, keyIn, indexKey),
  };
}

function pickOne(item: Item, random: Random): Item {
  const name = random.pick(Object.keys(item));
  return { [name]: item[name]! };
}

function rangeOf(
  random: Random,
  run: string,
  keyIn: (letters: string[]) => Item,
  indexKey: (key: Item) => Item,
): RandomRange {
  const big = random.chance(0.01);
  const inIndex = random.chance(0.4);
  const letters = big ? ['big'] : small;
  const whole = () => {
    const key = keyIn(letters);
    return inIndex ? { ...key, ...indexKey(key) } : key;
  };
  const keys = inIndex
    ? ([byTime.partitionKey, byTime.sortKey] as const)
    : ([partitionKey, sortKey] as const);
  const partition = random.chance(0.02) ? '' : whole()[keys[0]]!.S!;
  return {
    inIndex,
    big,
    keys,
    partition,
    sort: () =>
      random.chance(0.02) ? '' : [...whole()[keys[1]]!.S!].slice(0, random.chance(0.5) ? 1 : 9).join(''),
    start: () => {
      const start = whole();
      if (random.chance(0.9)) start[keys[0]] = { S: partition || run };
      if (random.chance(0.05)) delete start[random.pick(Object.keys(start))];
      return start;
    },
  };
}

const oddKeyPart = (random: Random): Item => ({
  [random.pick([partitionKey, sortKey, 'more'])]: random.pick<Value>([
    { S: '' },
    { N: '1' },
    { S: 'x'.repeat(1025) },
    { S: 'x'.repeat(2049) },
    { BOOL: true },
  ]),
});

const oddParts = (random: Random): Item[] => [
  oddKeyPart(random),
  {
    [random.pick([byTime.partitionKey, byTime.sortKey])]: random.pick<Value>([
      { S: '' },
      { N: '1' },
      { S: 'x'.repeat(2049) },
    ]),
  },
  {
    n: {
      N: random.pick([
        '',
        'x',
        '1e126',
        '1e-131',
        `1${'0'.repeat(37)}1`,
        '1.0',
        '1e2',
        '-0',
        '+7',
        '9'.repeat(38),
      ]),
    },
  },
  { ss: { SS: random.pick([[], ['a', 'a'], ['']]) } },
  { ns: { NS: random.pick([[], ['1', '1.0'], ['2', '1e0']]) } },
  { nu: { NULL: false as unknown as true } },
  { two: { S: 'x', N: '1' } },
  { none: {} },
  { '': { S: 'x' } },
  { s: { S: 'x'.repeat(409_000 + random.below(800)) } },
];

/** Returns random attributes with few possible values, so that about half of the random conditions are true. */
export function attributesOf(random: Random): Item {
  const item: Item = {};
  for (const name of attributeNames) if (random.chance(0.6)) item[name] = valueFor(random, name);
  return item;
}

/** The names of the attributes in random items. Each name has its own type of value. */
export const attributeNames = ['n', 'version', 's', 't', 'nu', 'l', 'm', 'ss', 'ns', 'ttl'] as const;
export type AttributeName = (typeof attributeNames)[number];

/** Returns a random value for an attribute, in 3 % of the cases a value meant for another attribute. */
export function valueFor(random: Random, name: AttributeName): Value {
  if (random.chance(0.03)) return valueFor(random, random.pick(attributeNames));
  const numbers = ['0', '1', '2', '3', '5', '-1', '2.5', '0.1', '100', '12345678901234567890', '-0.00001'];
  const texts = ['', 'a', 'ab', 'b', 'é', 'hello', '\u{1F600}', '\uFFFD'];
  const some = <T>(list: T[]) => list.filter(() => random.chance(0.5));
  const atLeastOne = (list: string[]) => {
    const members = some(list);
    return members.length > 0 ? members : [list[0]!];
  };
  switch (name) {
    case 'n':
      return { N: random.pick(numbers) };
    case 'version':
    case 'ttl':
      return { N: String(random.below(4)) };
    case 's':
      return { S: random.pick(texts) };
    case 't':
      return { BOOL: random.chance(0.5) };
    case 'nu':
      return { NULL: true };
    case 'l':
      return {
        L: some<Value>([
          { N: '1' },
          { S: 'a' },
          { B: 'AAE=' },
          { L: [{ N: '2' }] },
          { M: { a: { N: '1' } } },
        ]),
      };
    case 'm':
      return {
        M: Object.fromEntries(
          some<[string, Value]>([
            ['a', { N: '1' }],
            ['b', { S: 'a' }],
            ['l', { L: [{ N: '1' }, { N: '2' }] }],
          ]),
        ),
      };
    case 'ss':
      return { SS: atLeastOne(['a', 'b', 'é', '']) };
    case 'ns':
      return { NS: atLeastOne(['1', '2', '2.5', '-1']) };
  }
}
