import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
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
import { dynamodb, hadUnansweredAttempt } from '../aws.ts';
import { requiredVariable } from '../environment.ts';
import { faultRefusals } from '../refusals.ts';
import { mayHaveExecuted, pauseBeforeRetry, Unanswered } from '../retry.ts';
import { unpackImage, withCodec } from './codec.ts';
import type { Key } from './keys.ts';

/** `codec.ts` converts items to and from their stored form. */
export type Item = Record<string, unknown>;

export const tableClient = withCodec(dynamodb());

export const tableName = () => requiredVariable('TABLE_NAME');

export async function getItem<T = Item>({ pk, sk }: Key): Promise<T | undefined> {
  const { Item: item } = await tableClient.send(
    new GetCommand({
      TableName: tableName(),
      Key: { pk, sk },
      ConsistentRead: true,
    }),
  );
  return item as T | undefined;
}

// DynamoDB's limit for one BatchGetItem request.
const maxPerRead = 100;

/** Reads items in parallel requests of 100. Throws Throttled after 8 retries. */
export async function getItems(keys: Key[]): Promise<(Item | undefined)[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / maxPerRead) }, (_, index) =>
    keys.slice(index * maxPerRead, (index + 1) * maxPerRead),
  );
  const items = (await Promise.all(chunks.map(readChunk))).flat();
  const found = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  return keys.map(({ pk, sk }) => found.get(`${pk} ${sk}`));
}

async function readChunk(keys: Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let open: Key[] | undefined = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; open?.length; attempt++) {
    if (attempt > 0) await pauseBeforeRetry(attempt);
    const { Responses, UnprocessedKeys } = await tableClient.send(
      new BatchGetCommand({
        RequestItems: { [tableName()]: { Keys: open, ConsistentRead: true } },
      }),
    );
    found.push(...(Responses?.[tableName()] ?? []));
    open = UnprocessedKeys?.[tableName()]?.Keys as Key[] | undefined;
    if (attempt === 8 && open?.length) throw new Throttled();
  }
  return found;
}

/** If the condition fails, returns false and changes nothing. */
export async function putItem(
  item: Item,
  options: Omit<PutCommandInput, 'TableName' | 'Item'> = {},
): Promise<boolean> {
  const input = { TableName: tableName(), Item: item, ...options };
  return unlessConditionFails(() => tableClient.send(new PutCommand(input)));
}

export type WriteCondition = Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;

/** If the condition fails, changes nothing and returns the stored item, or an empty object if there is none. */
export async function putOrReadExisting(item: Item, condition: WriteCondition): Promise<Item | undefined> {
  const input = { TableName: tableName(), Item: item, ...condition, ...withOldItem };
  try {
    await answered(() => tableClient.send(new PutCommand(input)));
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ? unpackImage(error.Item) : {};
  }
}

/** Puts up to 25 items, without conditions and not as a transaction. Throws Throttled after 8 retries. */
export async function putItems(items: Item[]): Promise<void> {
  let open = items;
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt > 0) await pauseBeforeRetry(attempt);
    const { UnprocessedItems } = await answered(() =>
      tableClient.send(
        new BatchWriteCommand({
          RequestItems: { [tableName()]: open.map((item) => ({ PutRequest: { Item: item } })) },
        }),
      ),
    );
    open = (UnprocessedItems?.[tableName()] ?? []).map(({ PutRequest }) => PutRequest!.Item!);
    if (attempt === 8 && open.length > 0) throw new Throttled();
  }
}

/** If the condition fails, returns false and changes nothing. */
export async function updateItem(input: Omit<UpdateCommandInput, 'TableName'>): Promise<boolean> {
  return unlessConditionFails(() =>
    tableClient.send(new UpdateCommand({ TableName: tableName(), ...input })),
  );
}

/**
 * Milliseconds for which an unanswered write is repeated: short, because API Gateway waits only 29 s for a response.
 */
const repeatMs = 5000;

/** Sends a write, again while it gets no response. Throws Unanswered if it stays unknown whether it was executed. */
async function answered<T>(send: () => Promise<T>): Promise<T> {
  const started = performance.now();
  let unanswered: Unanswered | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      // All attempts of a transaction share a client token. If its conditions fail now, no attempt was or will be
      // executed. A write without a token may itself have made its condition fail.
      if (error instanceof TransactionCanceledException && hasFailedCondition(error)) throw error;
      if (hadUnansweredAttempt(error) || mayHaveExecuted(error))
        unanswered = new Unanswered('', { cause: error });
      if (!unanswered) throw error;
      if (error instanceof ConditionalCheckFailedException) throw unanswered;
    }
    await pauseBeforeRetry(attempt);
    if (performance.now() - started > repeatMs) throw unanswered;
  }
}

async function unlessConditionFails(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await answered(send);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = T extends object ? Omit<T, 'TableName'> : never;
/** A write in a transaction, without the name of the table. */
export type TableWrite = { [action in keyof Write]?: WithoutTable<Write[action]> };
/** The stored item of each write whose condition failed: empty if there is none, or without `withOldItem`. */
export type FailedWrites<Name extends string> = { [name in Name]?: Item };

/** Thrown if another transaction changed the same items. Nothing was written, so the caller can retry. */
export class Conflict extends Error {
  override name = 'Conflict';
}
/** Thrown if DynamoDB throttles a transaction, or leaves part of a batch unprocessed after 8 retries. */
export class Throttled extends Error {
  override name = 'Throttled';
}

export const withOldItem: {
  ReturnValuesOnConditionCheckFailure: ReturnValuesOnConditionCheckFailure;
} = {
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};

/**
 * Makes all writes or none. Returns those whose conditions failed, or undefined. An own earlier attempt that succeeded
 * fails no condition (client token). Throws Conflict, Throttled or `outcome_unknown`.
 */
export async function transact<Name extends string>(
  parts: {
    [name in Name]: TableWrite;
  },
): Promise<FailedWrites<Name> | undefined> {
  const names = Object.keys(parts) as Name[];
  const table = tableName();
  const TransactItems = names.map((name) => withTable(table, parts[name]));
  // DynamoDB executes a token's transaction once, and knows the token for ten minutes.
  const input = { TransactItems, ClientRequestToken: randomUUID() };
  try {
    await answered(() => tableClient.send(new TransactWriteCommand(input)));
    return undefined;
  } catch (error) {
    // Throws a Refusal, after which nothing is decided anew: that could repeat what the transaction may have done.
    if (error instanceof Unanswered) throw faultRefusals.outcomeUnknown(error.cause);
    if (!(error instanceof TransactionCanceledException)) throw error;
    return failedParts(names, error);
  }
}

function withTable(TableName: string, part: TableWrite): Write {
  return Object.fromEntries(
    Object.entries(part).map(([action, write]) => [action, { TableName, ...write }]),
  ) as unknown as Write;
}

const hasFailedCondition = ({ CancellationReasons: reasons = [] }: TransactionCanceledException) =>
  reasons.some(({ Code }) => Code === 'ConditionalCheckFailed');

function failedParts<Name extends string>(
  names: Name[],
  error: TransactionCanceledException,
): FailedWrites<Name> {
  const reasons = error.CancellationReasons ?? [];
  const failed: FailedWrites<Name> = {};
  reasons.forEach(({ Code, Item: old }, index) => {
    // Converts the item here, because the document client does not unmarshall items in exceptions.
    if (Code === 'ConditionalCheckFailed') failed[names[index]!] = old ? unpackImage(old) : {};
  });
  if (Object.keys(failed).length > 0) return failed;
  const codes = reasons.map(({ Code }) => Code);
  if (codes.includes('TransactionConflict')) throw new Conflict();
  if (codes.some((code) => code === 'ThrottlingError' || code === 'ProvisionedThroughputExceeded')) {
    throw new Throttled();
  }
  throw error;
}
