/** Counts the read and write units per partition key and second, and makes the errors for throttled requests. */
import { accountId, region } from '../../../infra/develop/local/aws/arns.ts';
import { type AwsError, awsError } from '../../../infra/develop/local/aws/error.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';

/** The kinds of throughput limits. The table and the index have separate limits. */
export type Kind = 'TableRead' | 'TableWrite' | 'IndexRead' | 'IndexWrite';

/** Counts the consumed units of each partition key in the current second. */
export type Throughput = {
  /** Returns whether a partition key has units left this second. A request may consume more units than are left. */
  has(kind: Kind, partition: string): boolean;
  /** Adds to the consumed units of a partition key. */
  take(kind: Kind, partition: string, units: number): void;
};

const perSecond = { Read: 3000, Write: 1000 };
/** Returns the maximum number of units per partition key and second. */
export const limitOf = (kind: Kind): number => (kind.endsWith('Read') ? perSecond.Read : perSecond.Write);

/** Creates a counter with the limits of AWS. */
export function createThroughput(clock: { now(): number }): Throughput {
  const used = new Map<string, number>();
  let second = 0;
  const account = () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) used.clear();
    second = now;
    return used;
  };
  const nameOf = (kind: Kind, partition: string) => `${kind} ${partition}`;
  return {
    has: (kind, partition) => (account().get(nameOf(kind, partition)) ?? 0) < limitOf(kind),
    take(kind, partition, units) {
      const name = nameOf(kind, partition);
      account().set(name, (used.get(name) ?? 0) + units);
    },
  };
}

/** A counter without limits, which never refuses a request. */
export const unlimited: Throughput = { has: () => true, take: () => {} };

/** Returns the read units that a read consumes: one per started 4 KB, or half if the read is eventually consistent. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

/** Returns the write units that a write outside a transaction consumes: one per started KB. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

export function throttledMessage(kind: Kind): string {
  const of =
    kind === 'IndexWrite'
      ? 'for one or more global secondary indexes. DynamoDB is automatically scaling your index'
      : 'of your table or index. DynamoDB is automatically scaling your table or index';
  return `Throughput exceeds the current capacity ${of} so please try again shortly.`;
}

/** Returns the error with which AWS refuses a throttled read or write. */
export function throttled(kind: Kind, tableName: string): AwsError {
  const table = `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}`;
  const resource = kind.startsWith('Index') ? `${table}/index/${tableDefinition.byTime.name}` : table;
  const error = kind.endsWith('Read')
    ? awsError(
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded.',
      )
    : awsError('ThrottlingException', throttledMessage(kind));
  error.fields = { ThrottlingReasons: [{ reason: `${kind}KeyRangeThroughputExceeded`, resource }] };
  return error;
}
