/** Makes random DynamoDB requests of all kinds that the service sends. Some of the requests are invalid. */
import type { Random } from '../random.ts';
import { invalidCommand } from './invalid-commands.ts';
import { conditionOf, type Placeholders, placeholdersOf, projectionOf } from './random-expressions.ts';
import { type Names, namesOf } from './random-items.ts';
import { queryOf } from './random-queries.ts';
import { updateOf } from './random-updates.ts';

/** One DynamoDB request. With `pages`, a query is repeated until all pages are read. */
export type Command = { operation: string; input: Input; pages?: boolean };
// biome-ignore lint/suspicious/noExplicitAny: whatever goes over the wire
export type Input = Record<string, any>;

/** Returns `count` random commands. All partition keys start with `run`, so that runs don't affect each other. */
export function commandsOf(random: Random, count: number, tableName: string, run: string): Command[] {
  const names = namesOf(random, run);
  const maker = { random, names, tableName, tokens: [] };
  return Array.from({ length: count }, () => {
    const kind = random.weighted(kinds);
    const command = makers[kind](maker);
    return random.chance(0.03) ? invalidCommand(command, random) : command;
  });
}

/** The sources of random commands: random numbers, names and the tokens of earlier transactions. */
export type Maker = {
  random: Random;
  names: Names;
  tableName: string;
  tokens: { token: string; items: Input[] }[];
};

const kinds = {
  PutItem: 5,
  UpdateItem: 6,
  DeleteItem: 1.5,
  TransactWriteItems: 4,
  BatchWriteItem: 1,
  GetItem: 2,
  BatchGetItem: 1,
  Query: 6,
};

const makers: { [kind in keyof typeof kinds]: (maker: Maker) => Command } = {
  PutItem: (maker) => single('PutItem', put(maker), maker),
  UpdateItem: (maker) => single('UpdateItem', update(maker), maker),
  DeleteItem: (maker) => single('DeleteItem', remove(maker), maker),
  TransactWriteItems: (maker) => ({ operation: 'TransactWriteItems', input: transaction(maker) }),
  BatchWriteItem: (maker) => ({ operation: 'BatchWriteItem', input: { RequestItems: batch(maker) } }),
  GetItem({ random, names, tableName }) {
    const Key = random.chance(0.1) ? names.invalidKey() : names.key();
    return { operation: 'GetItem', input: { TableName: tableName, Key, ...reading(random) } };
  },
  BatchGetItem({ random, names, tableName }) {
    const Keys = many(random, 8, () => names.smallKey());
    const RequestItems = { [tableName]: { Keys: distinct(Keys, random), ...reading(random) } };
    return { operation: 'BatchGetItem', input: { RequestItems } };
  },
  Query: queryOf,
};

const many = <T>(random: Random, maxCount: number, make: () => T): T[] =>
  Array.from({ length: 1 + random.below(maxCount) }, make);

/** Removes duplicates, except in 3 % of the cases, which test DynamoDB's refusal of duplicates. */
function distinct<T>(list: T[], random: Random): T[] {
  if (random.chance(0.03)) return list;
  return [...new Map(list.map((member) => [JSON.stringify(member), member])).values()];
}

function reading(random: Random): Input {
  const placeholders = placeholdersOf(random);
  return {
    ...(random.chance(0.5) && { ConsistentRead: random.chance(0.7) }),
    ...(random.chance(0.3) && { ProjectionExpression: projectionOf(random, placeholders) }),
    ...placeholders.fields(),
  };
}

function single(operation: string, part: Input, { random, tableName }: Maker): Command {
  const returned = operation === 'UpdateItem' ? ['ALL_OLD', 'ALL_NEW', 'NONE'] : ['ALL_OLD', 'NONE'];
  const invalid = random.chance(0.01) ? { ReturnValues: 'SOME' } : {};
  const returnValues = random.chance(0.3) ? { ReturnValues: random.pick(returned) } : invalid;
  return { operation, input: { TableName: tableName, ...part, ...returnValues } };
}

const put = ({ random, names }: Maker) => ({
  Item: random.chance(0.04) ? names.mostlyInvalidItem() : names.item(),
  ...guard(random, placeholdersOf(random), 0.5),
});

const remove = ({ random, names }: Maker) => ({
  Key: random.chance(0.03) ? names.invalidKey() : names.key(),
  ...guard(random, placeholdersOf(random), 0.5),
});

function update({ random, names }: Maker): Input {
  const placeholders = placeholdersOf(random);
  const Key = random.chance(0.02) ? names.invalidKey() : names.smallKey();
  const UpdateExpression = updateOf(random, placeholders, names.indexKey(Key));
  return { Key, UpdateExpression, ...guard(random, placeholders, 0.5) };
}

function guard(random: Random, placeholders: Placeholders, chance: number): Input {
  const conditional = random.chance(chance);
  const ConditionExpression = conditional ? conditionOf(random, placeholders) : undefined;
  return {
    ...(conditional && { ConditionExpression }),
    ...(random.chance(0.4) && { ReturnValuesOnConditionCheckFailure: random.pick(['ALL_OLD', 'NONE']) }),
    ...placeholders.fields(),
  };
}

function transaction(maker: Maker): Input {
  const { random, tableName, tokens } = maker;
  const parts = {
    Put: () => put(maker),
    Update: () => update(maker),
    Delete: () => remove(maker),
    ConditionCheck: () => ({ Key: maker.names.key(), ...guard(random, placeholdersOf(random), 0.98) }),
  };
  const items = many(random, 5, () => {
    const action = random.pick(['Put', 'Put', 'Update', 'Update', 'Delete', 'ConditionCheck'] as const);
    return { [action]: { TableName: tableName, ...parts[action]() } };
  });
  const TransactItems = random.chance(0.03) ? items : withoutRepetition(items);
  if (random.chance(0.4)) return { TransactItems };
  const earlier = tokens.length > 0 && random.chance(0.3) ? random.pick(tokens) : undefined;
  const token = earlier?.token ?? maker.names.token();
  const sent = earlier && random.chance(0.7) ? earlier.items : TransactItems;
  tokens.push({ token, items: sent });
  return { TransactItems: sent, ClientRequestToken: token };
}

const withoutRepetition = (items: Input[]): Input[] => [
  ...new Map(
    items.map((item) => {
      const [part] = Object.values(item);
      return [JSON.stringify([part.Key?.pk ?? part.Item?.pk, part.Key?.sk ?? part.Item?.sk]), item];
    }),
  ).values(),
];

function batch({ random, names, tableName }: Maker): Input {
  const requests = many(random, 6, () =>
    random.chance(0.7) ? { PutRequest: { Item: names.item() } } : { DeleteRequest: { Key: names.key() } },
  );
  const keyOf = ({ PutRequest: put, DeleteRequest: gone }: Input) =>
    JSON.stringify([put?.Item.pk ?? gone.Key.pk, put?.Item.sk ?? gone.Key.sk]);
  const once = [...new Map(requests.map((request) => [keyOf(request), request])).values()];
  return { [tableName]: random.chance(0.03) ? requests : once };
}
