/** Writes many records directly to the table, in the service's format and with times that the test chooses. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { toLambdaRecord } from '../../infra/develop/local/aws/stream-record.ts';
import { postTransaction } from '../../shared/accounts/post.ts';
import {
  appendRecord,
  milestonesOf,
  type UserRecord,
  userRecordKinds,
} from '../../shared/accounts/records.ts';
import type { User } from '../../shared/accounts/user.ts';
import { tableClient, tableName } from '../../shared/table/client.ts';
import { packItem } from '../../shared/table/codec.ts';
import { recordsOfUser, userKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { startOfToday } from '../../shared/time.ts';
import type { Account } from '../../shared/vocabulary.ts';

type Records = typeof import('../../shared/accounts/records.ts');
type Record = ReturnType<Records['appendRecord']>['record'];
type Stored = { [field: string]: unknown };
export type Written = Record & Stored;

/** Returns a user in memory. Tests write records of this user, but not the user's item. */
export function userOf(organizationId: string, userId: string): User {
  return {
    ...userKey(organizationId, userId),
    organization_id: organizationId,
    user_id: userId,
    external_reference: `reference of ${userId}`,
    date_created: '2024-01-01T00:00:00.000Z',
    balances: { tickets: 1e9, truck: 1e9, flight: 1e9 },
    queued_spins: 0,
    plays: { day: '', count: 0 },
    version: 1,
    sequence: 0,
    last_hash: '',
    text_key: 'secret',
  };
}

/** Credits one ticket or entry with the service's `postTransaction`. Returns record and user without writing them. */
export async function transactionOf(user: User, account: Account, now: number, description = 'A change') {
  const key = `key-${user.sequence + 1}`;
  return postTransaction(user, { account, amount: 1, description, idempotency_key: key }, now);
}

/** Returns the fields of an outcome: a regular play of the prize wheel that won five tickets. */
export const newOutcome = (result_effective_date: string) => ({
  kind: 'outcomes' as const,
  play_type: 'regular' as const,
  game: 'prizewheel' as const,
  prize: { tickets: 5 },
  prize_id: 'tickets-5',
  game_status: 'Ticket-only' as const,
  result_effective_date,
  cost: 1,
  prize_table_version: `prizewheel-${'x'.repeat(43)}`,
  secret_day: '2026-01-01',
  token_hash: 'A'.repeat(43),
  expires_at: '2026-01-01T12:30:00.000Z',
  client_seed: 'seed',
  spin_index: 0,
  budgets: { cash: { grants: 0, granted: 0, limit: 500 } },
});

/** Returns a user's next outcome record, and the user as changed by it, without writing them. */
export async function outcomeOf(user: User, now: number) {
  return appendRecord(user, newOutcome(startOfToday(now)), now);
}

/** Returns the stream record of a new item in the form that a Lambda function receives. */
export function insertOf(item: object, SequenceNumber = '1'): DynamoDBRecord {
  const NewImage = marshall(packItem(item as Stored), { removeUndefinedValues: true });
  return toLambdaRecord({ eventName: 'INSERT', dynamodb: { SequenceNumber, NewImage } }, 'stream');
}

/** Writes records and their milestones: items that the service stores for every 64th record of a kind. */
export async function writeRecords(records: Written[]): Promise<void> {
  await writeItems(records.flatMap((record) => [record, ...milestonesOf(record)]));
}

/** Writes items to the table in batches of 25, up to `concurrency` batches at the same time. */
export async function writeItems(items: Stored[], concurrency = 4): Promise<void> {
  let next = 0;
  const writer = async () => {
    while (next < items.length) {
      const from = next;
      next += 25;
      const batch = items.slice(from, next);
      const writes = batch.map((Item) => ({ PutRequest: { Item } }));
      let open: object = { [tableName()]: writes };
      while (Object.keys(open).length > 0) {
        const answer = await tableClient.send(new BatchWriteCommand({ RequestItems: open as never }));
        open = answer.UnprocessedItems ?? {};
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, writer));
}

/** The records of each kind are sorted oldest first. */
export async function allRecords(organizationId: string, userId: string): Promise<UserRecord[]> {
  const kinds = userRecordKinds.map((kind) => readRange(recordsOfUser(organizationId, userId, kind)));
  return (await Promise.all(kinds)).flat() as UserRecord[];
}
