/** The client of the table: reads and writes by key, and transactions whose parts have names. */
import {
  type ReturnValuesOnConditionCheckFailure,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { dynamodb, mayBeDone } from '../aws.ts';
import { variable } from '../environment.ts';
import { leavesOpen, pause, Unanswered } from '../retry.ts';
import { itemIn, withCodec } from './codec.ts';
import type { Key } from './keys.ts';

/** An item, fields in snake_case; `codec.ts` says how it is stored. */
export type Item = Record<string, unknown>;

/** The client of the table, made while a function starts. It sends a repeated transaction with the same token. */
export const client = withCodec(dynamodb());

/** The name of this stage's table, from the environment. */
export const tableName = () => variable('TABLE_NAME');

/** One item as it is now, or undefined. One round trip. */
export async function get<T = Item>({ pk, sk }: Key): Promise<T | undefined> {
  const { Item: item } = await client.send(
    new GetCommand({
      TableName: tableName(),
      Key: { pk, sk },
      ConsistentRead: true,
    }),
  );
  return item as T | undefined;
}

/** Several items (up to 100) as they are now, each in the place of its key. One round trip, unless throttled. */
export async function getAll(keys: Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  let open: Key[] | undefined = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; open?.length; attempt++) {
    if (attempt > 0) await pause(attempt);
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({
        RequestItems: { [tableName()]: { Keys: open, ConsistentRead: true } },
      }),
    );
    for (const item of Responses?.[tableName()] ?? []) found.set(`${item.pk} ${item.sk}`, item);
    open = UnprocessedKeys?.[tableName()]?.Keys as Key[] | undefined;
    if (attempt === 8 && open?.length) throw new Throttled();
  }
  return keys.map(({ pk, sk }) => found.get(`${pk} ${sk}`));
}

/** Puts one item. Returns false, and changes nothing, if its condition does not hold. */
export async function put(
  item: Item,
  options: Omit<PutCommandInput, 'TableName' | 'Item'> = {},
): Promise<boolean> {
  return unlessConditionFails(
    client.send(new PutCommand({ TableName: tableName(), Item: item, ...options })),
  );
}

/** Puts several items (up to 25), each for itself and without conditions. One round trip, unless throttled. */
export async function putAll(items: Item[]): Promise<void> {
  let open: Item[] = items;
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt > 0) await pause(attempt);
    const { UnprocessedItems } = await answered(
      client.send(
        new BatchWriteCommand({
          RequestItems: { [tableName()]: open.map((item) => ({ PutRequest: { Item: item } })) },
        }),
      ),
    );
    open = (UnprocessedItems?.[tableName()] ?? []).map(({ PutRequest }) => PutRequest!.Item!);
    if (attempt === 8 && open.length > 0) throw new Throttled();
  }
}

/** Updates one item. Returns false, and changes nothing, if its condition does not hold. */
export async function update(input: Omit<UpdateCommandInput, 'TableName'>): Promise<boolean> {
  return unlessConditionFails(client.send(new UpdateCommand({ TableName: tableName(), ...input })));
}

/** Updates one item and returns it as it then is. Returns undefined, and changes nothing, if its condition fails. */
export async function updated<T = Item>(
  input: Omit<UpdateCommandInput, 'TableName' | 'ReturnValues'>,
): Promise<T | undefined> {
  const command = new UpdateCommand({ TableName: tableName(), ...input, ReturnValues: 'ALL_NEW' });
  const sent = client.send(command);
  return (await unlessConditionFails(sent)) ? ((await sent).Attributes as T) : undefined;
}

/** Waits for a write. Throws Unanswered if it may have been carried out all the same. */
async function answered<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof TransactionCanceledException) throw error;
    throw mayBeDone(error) || leavesOpen(error) ? new Unanswered('', { cause: error }) : error;
  }
}

async function unlessConditionFails(sent: Promise<unknown>): Promise<boolean> {
  try {
    await answered(sent);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = T extends object ? Omit<T, 'TableName'> : never;
/** One write of a transaction, without the table's name. */
export type Part = { [action in keyof Write]?: WithoutTable<Write[action]> };
/** What stood in the way: for each part whose condition failed its old item, if the part asked for it. */
export type Failed<Name extends string> = { [name in Name]?: Item };

/** Other transactions were at the same items at the same time; nothing was written. Try again. */
export class Conflict extends Error {
  override name = 'Conflict';
}
/** DynamoDB asked to slow down, and nothing was written. */
export class Throttled extends Error {
  override name = 'Throttled';
}

/** Asks for the item that made a condition fail. */
export const withOldItem: {
  ReturnValuesOnConditionCheckFailure: ReturnValuesOnConditionCheckFailure;
} = {
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};

/**
 * Writes all parts or none. Returns undefined once all is written, or the parts whose conditions failed, by
 * name. Throws Conflict if it collided with another transaction, Throttled if it was too much, and Unanswered if it may
 * have been written all the same.
 */
export async function transact<Name extends string>(
  parts: {
    [name in Name]: Part;
  },
): Promise<Failed<Name> | undefined> {
  const names = Object.keys(parts) as Name[];
  const writes = names.map((name) => withTable(parts[name]));
  try {
    await answered(client.send(new TransactWriteCommand({ TransactItems: writes })));
    return undefined;
  } catch (error) {
    if (error instanceof TransactionCanceledException) return failedParts(names, error);
    throw error;
  }
}

function withTable(part: Part): Write {
  const TableName = tableName();
  return Object.fromEntries(
    Object.entries(part).map(([action, write]) => [action, { TableName, ...write }]),
  ) as unknown as Write;
}

function failedParts<Name extends string>(names: Name[], error: TransactionCanceledException): Failed<Name> {
  const reasons = error.CancellationReasons ?? [];
  const failed: Failed<Name> = {};
  reasons.forEach(({ Code, Item: old }, index) => {
    // The document client hands on the items of an exception as they came, marshalled.
    if (Code === 'ConditionalCheckFailed') failed[names[index]!] = old ? itemIn(old) : {};
  });
  // All attempts at a transaction have one token: had an earlier one been carried out, this one would have succeeded.
  // Where conditions failed, none will be any more. After a conflict, which is soon over, one that is under way may be.
  if (Object.keys(failed).length > 0) return failed;
  if (mayBeDone(error)) throw new Unanswered('', { cause: error });
  const codes = reasons.map(({ Code }) => Code);
  if (codes.includes('TransactionConflict')) throw new Conflict();
  if (codes.some((code) => code === 'ThrottlingError' || code === 'ProvisionedThroughputExceeded')) {
    throw new Throttled();
  }
  throw error;
}
