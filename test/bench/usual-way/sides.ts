/** The two compared implementations of a credit: the service's and the usual way. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { bundleForLambda } from '../../../infra/deploy/bundle.ts';
import { makeUser } from '../../support/round-trips.ts';
import { bundles, fileOf } from '../bundles.ts';
import { useTable } from '../table.ts';
import { idempotencyTable, transactionsTable, usersTable } from './names.ts';

export type Side = {
  /** Path of the implementation's bundle. */
  file: string;
  makeUser: () => Promise<string>;
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
      file: await fileOf('tickets/credit'),
      makeUser: () => makeUser(organizationId),
    },
    usual: usualSide(DynamoDBDocumentClient.from(client), join(folder, 'credit/index.js')),
  };
}

function usualSide(documents: DynamoDBDocumentClient, file: string): Side {
  return {
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
