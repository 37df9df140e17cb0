import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { post } from '../../shared/accounts/post.ts';
import { readUser, type User } from '../../shared/accounts/user.ts';
import { client, tableName, withOldItem } from '../../shared/table/client.ts';
import { idempotencyItemKey, recordsOfUser, userKey } from '../../shared/table/keys.ts';
import { type EndpointName, eventOf, type InvokeRequest } from '../support/invoke.ts';
import { makeUser } from '../support/round-trips.ts';
import { bundledHandler } from './bundles.ts';
import { median, type Pairs, type Row, ratioOf, scaledTurns, timedByTurns } from './row.ts';
import { useTable } from './table.ts';

const organizationId = 'org_bench';
// The warm-up is long because V8 has to compile two copies of the SDK: the service's and the baseline's.
const turns = { turns: 200, warmUp: 300 };

/** Returns a function that sends a request to a bundled handler and throws on an error response. */
async function handled(name: EndpointName, request: Omit<InvokeRequest, 'organizationId'>) {
  const handler = await bundledHandler(name);
  const event = eventOf(name, { organizationId, ...request });
  return async () => {
    const { statusCode, body } = await handler(event, {} as Context);
    if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${body}`);
  };
}

/**
 * Returns a function that prepares the baseline of a credit. The prepared function, which is timed, only makes the SDK
 * calls of the credit.
 */
async function rawCredit(userId: string) {
  let user: User = await readUser(organizationId, userId);
  return async (key: string) => {
    const TableName = tableName();
    const posting = { account: 'tickets', amount: 1, description: '', idempotency_key: key } as const;
    const { user: after, record } = post(user, posting, Date.now());
    const version = user.version;
    user = { ...after, version: version + 1 };
    const idempotency = {
      ...idempotencyItemKey(organizationId, userId, 'tickets', key),
      parameters: record.hash,
      reply: {
        transaction_id: record.transaction_id,
        balance: user.balances.tickets,
        sequence: record.event_sequence,
      },
      nonce: crypto.randomUUID(),
    };
    const unchanged = {
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': version },
    };
    const firstUse = { ConditionExpression: 'attribute_not_exists(pk)', ...withOldItem };
    const written = user;
    return async () => {
      await client.send(
        new GetCommand({ TableName, Key: userKey(organizationId, userId), ConsistentRead: true }),
      );
      await client.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName, Item: idempotency, ...firstUse } },
            { Put: { TableName, Item: written, ...unchanged } },
            { Put: { TableName, Item: record } },
          ],
        }),
      );
    };
  };
}

async function creditTimes(size: number) {
  const [ours, theirs] = [await makeUser(organizationId, 1), await makeUser(organizationId, 1)];
  const raw = await rawCredit(theirs);
  let count = 0;
  return timedByTurns(
    {
      ours: () => {
        const body = { amount: 1, idempotency_key: `key-${count++}` };
        return handled('tickets/credit', { path: { user_id: ours }, body });
      },
      floor: () => raw(`key-${count++}`),
    },
    scaledTurns(turns, size),
  );
}

async function balanceTimes(size: number) {
  const user_id = await makeUser(organizationId, 1);
  const Key = userKey(organizationId, user_id);
  return timedByTurns(
    {
      ours: () => handled('tickets/balance', { path: { user_id } }),
      floor: async () => () =>
        client.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true })),
    },
    scaledTurns(turns, size),
  );
}

async function historyTimes(size: number) {
  const user_id = await makeUser(organizationId);
  for (let i = 0; i < 30; i++) {
    const body = { amount: 1, idempotency_key: `key-${i}` };
    await (await handled('tickets/credit', { path: { user_id }, body }))();
  }
  const { partition, prefix } = recordsOfUser(organizationId, user_id, 'tickets');
  const input = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': partition, ':prefix': prefix },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: 11,
  };
  return timedByTurns(
    {
      ours: () => handled('tickets/history', { path: { user_id } }),
      floor: async () => () => client.send(new QueryCommand({ TableName: tableName(), ...input })),
    },
    scaledTurns(turns, size),
  );
}

const row = (name: string, endpoint: string, times: (size: number) => Promise<Pairs>): Row => ({
  name,
  what: `time of ${endpoint} ÷ its SDK calls alone`,
  floor: '1',
  target: { atMost: 1.1 },
  measure: async (size) => {
    await useTable();
    const pairs = await times(size);
    const { value, spread } = ratioOf(pairs);
    const [ours, floor] = [median(pairs.ours).toFixed(2), median(pairs.floor).toFixed(2)];
    return { value, detail: `${spread}, ${ours} ms ÷ ${floor} ms` };
  },
});

export const rows: Row[] = [
  row('credit-time', 'tickets/credit', creditTimes),
  row('balance-time', 'tickets/balance', balanceTimes),
  row('history-time', 'tickets/history', historyTimes),
];
