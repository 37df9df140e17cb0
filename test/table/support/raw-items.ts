/** Reads and changes items as DynamoDB stores them, like an attacker who can write to the table but has no KMS key. */
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../shared/table/client.ts';
import { definition, type Key } from '../../../shared/table/keys.ts';
import { fieldOf } from '../../../shared/table/names.ts';

// biome-ignore lint/suspicious/noExplicitAny: a value as DynamoDB stores it
export type Value = any;
export type Stored = Record<string, Value>;

const raw = new DynamoDBClient({});

export const itemAt = async ({ pk, sk }: Key): Promise<Stored> => {
  const input = { TableName: tableName(), Key: { pk: { S: pk }, sk: { S: sk } } };
  return (await raw.send(new GetItemCommand({ ...input, ConsistentRead: true }))).Item!;
};
export const store = (Item: Stored) => raw.send(new PutItemCommand({ TableName: tableName(), Item }));

function changed(stored: Value): Value {
  const [type, value] = Object.entries(stored)[0] as [string, Value];
  if (type === 'N') return { N: String(Number(value) + 1) };
  if (type === 'S') return { S: `${value}x` };
  if (type === 'BOOL') return { BOOL: !value };
  if (type === 'B')
    return { B: value.map((byte: number, at: number) => (at === value.length - 1 ? byte ^ 1 : byte)) };
  if (type === 'L') return { L: value.length > 0 ? value.slice(1) : [{ N: '1' }] };
  const [[name, first] = ['x', { N: '1' }]] = Object.entries(value);
  return { M: { ...value, [name]: changed(first) } };
}

/** Digits that a JavaScript number loses, but DynamoDB's conditions compare. */
const surplus = '00000000000000000001';

/** Yields descriptions and changed copies of an item: one field changed or removed, or all fields from another item. */
export function* changes(
  item: Stored,
  isFree: (name: string) => boolean = () => false,
  others: Stored[] = [],
): Generator<[string, Stored]> {
  for (const [name, value] of Object.entries(item)) {
    if (name === definition.partitionKey || name === definition.sortKey || isFree(name)) continue;
    if (value.N)
      yield [`surplus digits of ${fieldOf(name)}`, { ...item, [name]: { N: `${value.N}.${surplus}` } }];
    yield [`changed ${fieldOf(name)}`, { ...item, [name]: changed(value) }];
    const { [name]: _, ...rest } = item;
    yield [`removed ${fieldOf(name)}`, rest];
  }
  for (const { pk, sk, ...other } of others) yield ['swapped', { ...other, pk: item.pk, sk: item.sk }];
}
