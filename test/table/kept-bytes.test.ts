import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import { toLambdaRecord } from '../../infra/develop/local/aws/stream-record.ts';
import { postTransaction } from '../../shared/accounts/post.ts';
import { maxLogoLength } from '../../shared/api/page-fields.ts';
import { newId } from '../../shared/ids.ts';
import { pageSettingsIn } from '../../shared/organizations/page-settings.ts';
import { putItem, tableClient, tableName } from '../../shared/table/client.ts';
import { type Key, keyFields, pageKey, tableDefinition } from '../../shared/table/keys.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { eventsOf } from '../../shared/webhooks/events.ts';
import { bytesPerItem } from '../bench/cost/assumptions.ts';
import { hostOperations } from '../bench/cost/host-operations.ts';
import { freeSpinOperations, organization, playOperations } from '../bench/cost/play-operations.ts';
import { times } from '../support/api.ts';
import { type Item, itemSize, readItem } from '../support/dynamodb/values.ts';
import { useOwnTable } from '../support/own-table.ts';
import { createRandom } from '../support/random.ts';
import { userOf } from '../support/records.ts';

/** Maximum bytes that an operation may add to the table and its index. */
const bounds: Record<string, number> = {
  'a credit': 1_170,
  'a spin that wins tickets or entries': 2_700,
  'free spins queued': 1_450,
  'a call to a webhook': 500,
};

/** Returns whether an item is just below 1 KB, so that a small addition would cost another write unit. */
const isNearLimit = (bytes: number) => bytes > 819 && bytes <= 1024;

type Kept = { bytes: number; items: { sk: string; size: number; stored: Item }[] };
const kept = new Map<string, Kept>();

beforeAll(async () => {
  await useOwnTable('kept-bytes');
  const plain = await organization();
  const operations = [
    ...hostOperations(plain),
    ...(await playOperations(plain)),
    ...freeSpinOperations(plain),
  ];
  for (const { name, of, prepare } of operations) {
    const [folder, file] = of.split('/');
    const { handler } = await import(`../../functions/${folder}/${file}.ts`);
    const event = await prepare();
    const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
    const { result, ...rest } = await keptBy<{ statusCode?: number }>(() => handler(event, context));
    expect(result.statusCode ?? 200, name).toBe(200);
    kept.set(name, rest);
  }
  kept.set('a call to a webhook', await keptBy(() => callRecorder()(call(plain))));
});

function call(organizationId: string) {
  const now = Date.now();
  const posting = { account: 'tickets' as const, amount: 5, description: 'Five for a friend' };
  const user = userOf(organizationId, newId('usr', now));
  const { record } = postTransaction(user, { ...posting, idempotency_key: crypto.randomUUID() }, now);
  const [event] = eventsOf(record);
  return {
    organization_id: organizationId,
    webhook_id: newId('wh', now),
    event_id: event!.id,
    event_type: event!.type,
    timestamp: new Date(now).toISOString(),
    url: 'https://host.example/incentives/webhook',
    payload: JSON.stringify(event),
    attempt: 1,
    response_status: 200,
    duration_ms: 102,
  };
}

/** Runs an operation. Returns its result, the bytes added to the table, and the written items as stored. */
async function keptBy<T>(run: () => Promise<T>): Promise<Kept & { result: T }> {
  const written = new Map<string, { key: Key; before: Item | undefined }>();
  tableClient.middlewareStack.add(
    (next) => async (args) => {
      for (const key of keysIn(args.input)) {
        const name = `${key.pk} ${key.sk}`;
        if (!written.has(name)) written.set(name, { key, before: await stored(key) });
      }
      return next(args);
    },
    { step: 'initialize', priority: 'high', name: 'written' },
  );
  const result = await run().finally(() => tableClient.middlewareStack.remove('written'));
  const items = await Promise.all(
    [...written.values()].map(async ({ key, before }) => ({ sk: key.sk, before, after: await stored(key) })),
  );
  const bytes = items.reduce((sum, { before, after }) => sum + keptOf(after) - keptOf(before), 0);
  const there = items.flatMap(({ sk, after }) =>
    after ? [{ sk, size: itemSize(after), stored: after }] : [],
  );
  return { result, bytes, items: there };
}

// biome-ignore lint/suspicious/noExplicitAny: requests of all commands
type Json = any;

/** Returns the keys of all items that a request to DynamoDB may write. */
function keysIn({ Item, Key, UpdateExpression, RequestItems, TransactItems }: Json): Key[] {
  if (Item) return [Item];
  if (Key && UpdateExpression) return [Key];
  const parts = [
    ...(TransactItems ?? []),
    ...Object.values(RequestItems ?? {})
      .filter(Array.isArray)
      .flat(),
  ];
  return parts.flatMap((part) => Object.values(part).flatMap(keysIn));
}

async function stored({ pk, sk }: Key): Promise<Item | undefined> {
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const raw = new DynamoDBClient({});
  const input = { TableName: tableName(), Key, ConsistentRead: true };
  const { Item } = await raw.send(new GetItemCommand(input)).finally(() => raw.destroy());
  const image = { dynamodb: { NewImage: Item as never } };
  return Item && readItem(toLambdaRecord(image, 'stream').dynamodb!.NewImage);
}

function keptOf(item: Item | undefined): number {
  if (!item) return 0;
  const places = item[tableDefinition.byTime.partitionKey] ? 2 : 1;
  return places * (itemSize(item) + bytesPerItem);
}

test.each(Object.keys(bounds))('%s keeps few bytes', (name) => {
  expect(kept.get(name)!.bytes).toBeLessThanOrEqual(bounds[name]!);
});

test('no frequent item is just below a write unit’s limit', () => {
  const near = [...kept].flatMap(([name, { items }]) =>
    // Skips guests' orders, because their items contain all outcomes and vary in size.
    items
      .filter(({ sk, size }) => isNearLimit(size) && !sk.startsWith('SPINS#'))
      .map(({ sk, size }) => ({ name, sk, size })),
  );
  expect(near).toEqual([]);
});

test('page settings with the longest logo and long other settings fill three blocks of 4 KB', async () => {
  const organization_id = newId('org', Date.now());
  const { bytes } = createRandom('page settings');
  const random = (length: number) => bytes(length).toString('base64url').slice(0, length);
  const url = () => `https://example.com/${random(480)}`;
  const settings = {
    ...{ return_url: url(), rules_url_en: url(), rules_url_es: url(), brand_name: random(40) },
    ...{ free_entry_en: random(200), free_entry_es: random(200) },
    ...{ free_entry_url_en: url(), free_entry_url_es: url() },
    frame_origins: times(10, () => `https://${random(192).toLowerCase()}`).join(' '),
    brand_logo: `data:image/png;base64,${bytes(maxLogoLength).toString('base64')}`.slice(0, maxLogoLength),
  };
  await putItem({ ...pageKey(organization_id), organization_id, ...pageSettingsIn(settings) });
  const size = itemSize((await stored(pageKey(organization_id)))!);
  expect(Math.ceil(size / 4096)).toBe(3);
});

const namesIn = (item: Item): string[] =>
  Object.entries(item).flatMap(([name, { M }]) => [name, ...(M ? namesIn(M) : [])]);

test('all fields of frequent items have short names', () => {
  const items = [...kept.values()].flatMap((one) => one.items);
  const names = items.filter(({ sk }) => sk !== 'CASH').flatMap(({ stored }) => namesIn(stored));
  expect(
    new Set(names.filter((name) => name.length > 2 && name !== tableDefinition.ttl && !keyFields.has(name))),
  ).toEqual(new Set());
  expect(names.length).toBeGreaterThan(500);
});
