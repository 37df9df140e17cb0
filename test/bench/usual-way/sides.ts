/** The two compared implementations of a credit: the service's and the usual way. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { bundleForLambda } from '../../../infra/deploy/bundle.ts';
import { readUser } from '../../../shared/accounts/user.ts';
import { recordsOfUser } from '../../../shared/table/keys.ts';
import { readRange } from '../../../shared/table/ranges.ts';
import { makeUser } from '../../support/round-trips.ts';
import { bundles, fileOf } from '../bundles.ts';
import { useTable } from '../table.ts';
import { idempotencyTable, transactionsTable, usersTable } from './names.ts';

/** A user's balance, the number of the user's records, and the sum of the records' amounts. */
export type State = { balance: number; records: number; sum: number };
export type Side = {
  name: string;
  /** Path of the implementation's bundle. */
  file: string;
  makeUser: () => Promise<string>;
  stateOf: (userId: string) => Promise<State>;
};

export const organizationId = 'org_bench_usual_way';
let making: Promise<{ ours: Side; usual: Side }> | undefined;

/** Returns both implementations. The first call bundles them and creates their tables in DynamoDB Local. */
export function sides(): Promise<{ ours: Side; usual: Side }> {
  making ??= makeSides();
  return making;
}

async function makeSides() {
  await useTable();
  const client = new DynamoDBClient({});
  await createTable(client, idempotencyTable, 'id');
  await createTable(client, usersTable, 'user_id');
  await createTable(client, transactionsTable, 'user_id', 'transaction_id');
  const folder = mkdtempSync(join(await bundles(), 'usual-way-'));
  await bundleForLambda(folder, ['credit'], 'test/bench/usual-way');
  // Connects this process's client to the database itself, before a row counts calls with a proxy.
  await makeUser(organizationId);
  return {
    ours: {
      name: 'ours',
      file: await fileOf('tickets/credit'),
      makeUser: () => makeUser(organizationId),
      stateOf: ourState,
    },
    usual: usualSide(DynamoDBDocumentClient.from(client), join(folder, 'credit/index.js')),
  };
}

const sumOf = (records: { amount?: unknown }[]) =>
  records.reduce((sum, { amount }) => sum + Number(amount), 0);

async function ourState(userId: string): Promise<State> {
  const { balances } = await readUser(organizationId, userId);
  const records = await readRange(recordsOfUser(organizationId, userId, 'tickets'), { consistent: true });
  return { balance: balances.tickets, records: records.length, sum: sumOf(records) };
}

function usualSide(documents: DynamoDBDocumentClient, file: string): Side {
  return {
    name: 'the usual way',
    file,
    async makeUser() {
      const user_id = `usr_${randomUUID()}`;
      const user = {
        user_id,
        external_reference: randomUUID(),
        date_created: new Date().toISOString(),
        tickets: 0,
      };
      await documents.send(new PutCommand({ TableName: usersTable, Item: user }));
      return user_id;
    },
    async stateOf(user_id) {
      const Key = { user_id };
      const { Item: user } = await documents.send(
        new GetCommand({ TableName: usersTable, Key, ConsistentRead: true }),
      );
      const { Items: records = [] } = await documents.send(
        new QueryCommand({
          TableName: transactionsTable,
          KeyConditionExpression: 'user_id = :user',
          ExpressionAttributeValues: { ':user': user_id },
          ConsistentRead: true,
        }),
      );
      return { balance: user!.tickets, records: records.length, sum: sumOf(records) };
    },
  };
}

async function createTable(client: DynamoDBClient, TableName: string, ...names: string[]): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
}
