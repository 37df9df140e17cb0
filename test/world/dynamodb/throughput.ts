/** Throughput: units of reads and writes, and how many of them one key takes in a second. */
import { accountId, region } from '../../../infra/develop/local/aws/arns.ts';
import { type AwsError, awsError } from '../../../infra/develop/local/aws/error.ts';
import { definition } from '../../../shared/table/keys.ts';

/** Of the table and of the index, each with keys of its own. */
export type Kind = 'TableRead' | 'TableWrite' | 'IndexRead' | 'IndexWrite';

/** An account of the units of each partition key. */
export type Throughput = {
  /** Whether a partition key has units left in this second; the last request may take more than are left. */
  has(kind: Kind, partition: string): boolean;
  /** Takes units. */
  take(kind: Kind, partition: string, units: number): void;
};

const perSecond = { Read: 3000, Write: 1000 };
/** The units that a key takes in a second. */
export const limitOf = (kind: Kind): number => (kind.endsWith('Read') ? perSecond.Read : perSecond.Write);

/** Keeps account of each partition key's units. */
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

/** No key has a limit. */
export const unlimited: Throughput = { has: () => true, take: () => {} };

/** The units of reading so many bytes: one for 4 KB, half of it unless the read is consistent. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

/** The units of writing so many bytes: one for 1 KB. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

/** What a transaction says of a part, and the message of a refusal. */
export function throttledMessage(kind: Kind): string {
  const of =
    kind === 'IndexWrite'
      ? 'for one or more global secondary indexes. DynamoDB is automatically scaling your index'
      : 'of your table or index. DynamoDB is automatically scaling your table or index';
  return `Throughput exceeds the current capacity ${of} so please try again shortly.`;
}

/** The refusal of a read or write of a key that has no units left. */
export function throttled(kind: Kind, tableName: string): AwsError {
  const table = `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}`;
  const resource = kind.startsWith('Index') ? `${table}/index/${definition.byTime.name}` : table;
  const error = kind.endsWith('Read')
    ? awsError(
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded.',
      )
    : awsError('ThrottlingException', throttledMessage(kind));
  error.fields = { ThrottlingReasons: [{ reason: `${kind}KeyRangeThroughputExceeded`, resource }] };
  return error;
}
