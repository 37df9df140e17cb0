import { isAwsError } from '../../../infra/develop/local/aws/error.ts';
import { definition } from '../../../shared/table/keys.ts';
import type { StoredItem } from '../journal.ts';
import { createRandom } from '../random.ts';
import { createDynamodb } from './dynamodb.ts';
import type { Item, Value } from './values.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
type Answer = any;
type Options = Partial<Parameters<typeof createDynamodb>[0]>;

const { partitionKey, sortKey, byTime } = definition;

/** Creates a table for tests, with a manual clock and shortcuts for its operations. */
export function createTestTable(options: Options = {}) {
  let now = Date.parse('2026-01-05T12:00:00Z');
  const dynamodb = createDynamodb({
    tableName: 'table',
    clock: { now: () => now },
    random: createRandom('test'),
    ...options,
  });
  const call = (operation: string, input: object): Answer =>
    dynamodb.call(operation, { TableName: 'table', ...input });
  const transact = (items: object[], token?: string): Answer =>
    dynamodb.call('TransactWriteItems', {
      TransactItems: items,
      ...(token !== undefined && { ClientRequestToken: token }),
    });
  return {
    dynamodb,
    call,
    transact,
    /** Advances the clock. */
    pass(milliseconds: number) {
      now += milliseconds;
    },
    put: (item: Item) => call('PutItem', { Item: item }),
    delete: (key: Item) => call('DeleteItem', { Key: key }),
    get: (key: Item, ConsistentRead = false): Item | undefined =>
      call('GetItem', { Key: key, ConsistentRead }).Item,
    /** Queries a whole partition of the table or index. */
    query: (partition: string, input: { IndexName?: string; [field: string]: unknown } = {}): Answer =>
      call('Query', {
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': input.IndexName ? byTime.partitionKey : partitionKey },
        ExpressionAttributeValues: { ':p': { S: partition } },
        ...input,
      }),
    items: (): StoredItem[] => [...dynamodb.items()],
  };
}

/** Returns a primary key as attributes. */
export const keyOf = (pk: string, sk: string): Item => ({ [partitionKey]: { S: pk }, [sortKey]: { S: sk } });

/** Returns a key of the index as attributes. */
export const timeKeyOf = (partition: string, sort: string): Item => ({
  [byTime.partitionKey]: { S: partition },
  [byTime.sortKey]: { S: sort },
});

/** Returns the name, message and additional fields of the error that `act` throws. */
export function refusalOf(act: () => unknown): Answer {
  try {
    act();
  } catch (error) {
    if (isAwsError(error)) return { name: error.name, message: error.message, ...error.fields };
    throw error;
  }
  throw new Error('no error was thrown');
}

/** Returns one part of a transaction, such as a `Put`. */
export const part = (action: string, input: object) => ({ [action]: { TableName: 'table', ...input } });

/** Returns a string value with a size of `length` bytes. */
export const text = (length: number): Value => ({ S: 'x'.repeat(length) });
