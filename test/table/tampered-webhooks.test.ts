/** Tests that an attacker who can write to the table cannot read secrets, redirect events or forge deliveries. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HistoryRecord } from '../../shared/accounts/records.ts';
import { enableWebhook, limitWebhook } from '../../shared/operations/change-webhook.ts';
import { itemIn, packed } from '../../shared/table/codec.ts';
import { followerKey, invocationKey, webhookKey } from '../../shared/table/webhook-keys.ts';
import { runSteps } from '../../shared/webhooks/backlog-steps.ts';
import { checkBacklog } from '../../shared/webhooks/check-backlog.ts';
import { deliverAll } from '../../shared/webhooks/delivery.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import type { Post } from '../../shared/webhooks/post.ts';
import { publish } from '../../shared/webhooks/publishing.ts';
import { asReceived, useDeliveryQueue } from '../support/delivery-queue.ts';
import { type EndpointName, type InvokeRequest, invoke } from '../support/invoke.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, writeRecords } from '../support/records.ts';
import { newPlace } from './support/deciding-flows.ts';
import { changes, itemAt, type Stored, store } from './support/raw-items.ts';

const { queue, queued, clock, deps } = await useDeliveryQueue();
beforeAll(() => useOwnTable('tampered-webhooks'));

const secret = 'the secret of a host';
const newOrganization = async () => (await newPlace()).organizationId;

async function register(organizationId: string, callback_url = 'https://a.example.com/in'): Promise<string> {
  const body = { callback_url, secret_key: secret };
  const made = await invoke('webhooks/create', { organizationId, body, now: clock.now() - 1000 });
  return made.body.webhook_id;
}

const ask = (
  name: EndpointName,
  organizationId: string,
  webhook_id?: string,
  more: Partial<InvokeRequest> = {},
) => invoke(name, { organizationId, ...(webhook_id && { path: { webhook_id } }), now: clock.now(), ...more });

async function newRecord(organizationId: string): Promise<HistoryRecord> {
  const { record } = await transactionOf(userOf(organizationId, 'usr_1'), 'tickets', clock.now());
  await writeRecords([record]);
  return record;
}

/** Attempts deliveries. None may stay on the queue. Returns the URLs that were called. */
async function sentBy(deliveries: Delivery[]): Promise<string[]> {
  const urls: string[] = [];
  const post: Post = async (url) => {
    urls.push(url);
    return { status: 200 };
  };
  const settled = await deliverAll(deliveries.map(asReceived), deps(post));
  expect(settled.size).toBe(deliveries.length);
  return urls;
}

const fields = ['per_second', 'changed_at', 'receiver', 'unknown'];
/** Returns descriptions and changed copies of a webhook's item: each field changed, removed or added. */
const tamperedWith = (item: Stored): [string, Stored][] => [
  ...changes(item),
  ...fields.map((name): [string, Stored] => [`added ${name}`, { ...item, [name]: { N: '1' } }]),
];

test('a webhook copied from another organization shows no secret, gets no events and sends no payload', async () => {
  const [mine, others] = [await newOrganization(), await newOrganization()];
  const webhookId = await register(others);
  await store({ ...(await itemAt(webhookKey(others, webhookId))), pk: { S: `ORG#${mine}` } });
  const shown = [await ask('webhooks/get', mine, webhookId), await ask('webhooks/list', mine)];
  expect(shown.map(({ status }) => status)).toEqual([500, 200]);
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect((await ask('webhooks/invoke', mine, webhookId, { body: { type: 'cash_won' } })).status).toBe(500);
  await publish([await newRecord(mine)]);
  expect(queued()).toEqual([]);
});

test('a webhook with any changed field gets no event and no payload, unlike the organization’s others', async () => {
  const organizationId = await newOrganization();
  const other = 'https://b.example.com/in';
  const [webhookId] = [await register(organizationId), await register(organizationId, other)];
  const invocation = { body: { hello: 'there' }, query: { request_id: 'r' } };
  await ask('webhooks/invoke', organizationId, webhookId, invocation);
  const record = await newRecord(organizationId);
  await publish([record]);
  const deliveries = queued();
  expect((await sentBy(deliveries)).sort()).toEqual([
    'https://a.example.com/in',
    'https://a.example.com/in',
    other,
  ]);
  const item = await itemAt(webhookKey(organizationId, webhookId));
  const believed: string[] = [];
  for (const [what, tampered] of tamperedWith(item)) {
    await store(tampered);
    queue.purge();
    await publish([record]);
    const listed = await ask('webhooks/list', organizationId);
    const ids = (listed.body.webhooks as { webhook_id: string }[]).map(({ webhook_id }) => webhook_id);
    if (queued().length !== 1 || ids.length !== 1 || ids[0] === webhookId) believed.push(what);
    for (const url of await sentBy(deliveries)) if (url !== other) believed.push(`${url}: ${what}`);
  }
  expect(believed).toEqual([]);
  await store(item);
  expect(await sentBy(deliveries)).toHaveLength(3);
});

test('an overdue backlog that somebody has added to a webhook delivers nothing', async () => {
  const organizationId = await newOrganization();
  const webhookId = await register(organizationId);
  const record = await newRecord(organizationId);
  const item = await itemAt(webhookKey(organizationId, webhookId));
  const now = clock.now();
  const backlog = { since: { N: `${now - 5000}` }, cursor: { S: '0' }, step: { N: '1' } };
  const due = { due: { N: `${now - 3_600_000}` }, failed_steps: { N: '0' } };
  const receiver = { state: { S: 'behind' }, backlog: { M: { ...backlog, ...due } } };
  await store({ ...item, receiver: { M: receiver } });
  await publish([record]);
  expect(queued()).toEqual([]);
  const message = { organization_id: organizationId, webhook_id: webhookId };
  const urls: string[] = [];
  const post: Post = async (url) => ({ status: urls.push(url) && 200 });
  await clock.advance(60_000);
  const settled = [
    await runSteps([asReceived({ ...message, step: 1 })], deps(post)),
    await checkBacklog([asReceived({ ...message, from: '0', to: '8', records: 0 })], clock.now()),
  ];
  // Leaves the messages on the queue, so that the backlog continues when the webhook is restored.
  expect(settled.map(({ size }) => size)).toEqual([0, 0]);
  expect(urls).toEqual([]);
});

test('a host can delete a webhook that somebody has changed, and register it anew', async () => {
  const organizationId = await newOrganization();
  const webhookId = await register(organizationId);
  const item = await itemAt(webhookKey(organizationId, webhookId));
  await store({ ...item, callback_url: { S: 'https://attacker.example.com' } });
  expect((await ask('webhooks/delete', organizationId, webhookId)).status).toBe(200);
  await register(organizationId);
  const { webhooks } = (await ask('webhooks/list', organizationId)).body;
  expect(webhooks).toMatchObject([{ callback_url: 'https://a.example.com/in' }]);
});

describe('a delivery is dropped and not sent if somebody has', () => {
  /** Returns an organization's only delivery, and the key of the item with its payload. */
  async function deliveryOf(source: 'record' | 'invocation') {
    const organizationId = await newOrganization();
    const webhookId = await register(organizationId);
    const record = source === 'record' ? await newRecord(organizationId) : undefined;
    if (record) await publish([record]);
    else await ask('webhooks/invoke', organizationId, webhookId, { body: { cash_usd: 1 } });
    const delivery = queued()[0]!;
    return { delivery, key: record ?? invocationKey(organizationId, delivery.event_id) };
  }

  test.each(['record', 'invocation'] as const)('changed any field of its %s', async (source) => {
    const { delivery, key } = await deliveryOf(source);
    const item = await itemAt(key);
    const believed: string[] = [];
    for (const [what, tampered] of changes(item)) {
      await store(tampered);
      if ((await sentBy([delivery])).length > 0) believed.push(what);
    }
    expect(believed).toEqual([]);
    await store(item);
    expect(await sentBy([delivery])).toHaveLength(1);
  });

  test('copied its invocation from another', async () => {
    const { delivery, key } = await deliveryOf('invocation');
    const other = invocationKey(delivery.organization_id, 'inv_other');
    await store({ ...(await itemAt(key)), pk: { S: other.pk }, sk: { S: other.sk } });
    expect(await sentBy([{ ...delivery, event_id: 'inv_other' }])).toEqual([]);
  });
});

test.each<[string, Stored]>([
  ['limit', { per_second: { N: '0.5' } }],
  [
    'time of its first failure',
    { receiver: { M: { state: { S: 'failing' }, failing_since: { S: 'yesterday' } } } },
  ],
])('no action of an operator records a %s that somebody has added to a webhook', async (_, added) => {
  const organizationId = await newOrganization();
  const webhookId = await register(organizationId);
  const key = webhookKey(organizationId, webhookId);
  await store({ ...(await itemAt(key)), ...added });
  const by = { operator: 'test', now: clock.now() };
  await expect(limitWebhook(organizationId, webhookId, 10, by)).rejects.toThrow('changed in the table');
  await expect(enableWebhook(organizationId, webhookId, by)).rejects.toThrow('changed in the table');
  expect(itemIn(await itemAt(key))).toMatchObject({ version: 1 });
});

test('a delivery whose repetition somebody has claimed in the table stays on the queue, and is not dropped', async () => {
  const organizationId = await newOrganization();
  const webhookId = await register(organizationId);
  await publish([await newRecord(organizationId)]);
  const [first] = queued();
  const repeated = asReceived({ ...first!, attempt: 2, follows: 'message-1' });
  const key = followerKey(organizationId, webhookId, first!.event_id, 'message-1');
  await store(marshall(packed({ ...key, message_id: 'another' })));
  expect(
    await deliverAll(
      [repeated],
      deps(async () => ({ status: 200 })),
    ),
  ).toEqual(new Set());
});
