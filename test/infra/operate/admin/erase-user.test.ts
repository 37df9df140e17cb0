import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { timeoutSecondsOf } from '../../../../infra/deploy/endpoints.ts';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { eraseUser, maxWebhookCallMs } from '../../../../infra/operate/admin/erase-user.ts';
import { eraseUserTexts } from '../../../../shared/accounts/erase-texts.ts';
import { readUserOrErased } from '../../../../shared/accounts/user.ts';
import { adjustBalance } from '../../../../shared/actions/adjust-balance.ts';
import { changeSettings } from '../../../../shared/actions/change-settings.ts';
import { markUserErased } from '../../../../shared/actions/erase-user.ts';
import { freezeUser } from '../../../../shared/actions/freeze.ts';
import { dynamodb } from '../../../../shared/aws.ts';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { getItem, type Item } from '../../../../shared/table/client.ts';
import { organizationKey, referenceKey, userKey } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { invocationsInShards, webhookCallRanges } from '../../../../shared/table/webhook-keys.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../../../shared/time.ts';
import type { DeliveryDeps } from '../../../../shared/webhooks/attempt.ts';
import { callRecorder, type WebhookCall } from '../../../../shared/webhooks/calls.ts';
import { deliver } from '../../../../shared/webhooks/delivery.ts';
import { eventsOf } from '../../../../shared/webhooks/events.ts';
import { readPayload } from '../../../../shared/webhooks/payloads.ts';
import { deliveriesOf } from '../../../../shared/webhooks/publishing.ts';
import { readWebhook } from '../../../../shared/webhooks/webhooks.ts';
import { newUrl, spinUrl } from '../../../games/support/plays.ts';
import { type Api, callsOf, newOrganization } from '../../../support/api.ts';
import { sdkError } from '../../../support/dynamodb-errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import { allRecords } from '../../../support/records.ts';
import { wonGift } from '../../../support/won-gift.ts';

let api: Api;
let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  api = await newOrganization();
  receiver = await startReceiver();
  const { body } = await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
  webhookId = body.webhook_id;
});
afterAll(() => receiver.close());

const contextWith = (why = 'request 4711') => ({ operator: 'ana', now: Date.now(), why });
const erase = (user: string) => eraseUser(api.organizationId, user, contextWith());
const minute = 60_000;
/** Runs the command two minutes later. Then no webhook call is still running, so the erasure is complete. */
const eraseLater = (user: string) =>
  eraseUser(api.organizationId, user, { ...contextWith(), now: Date.now() + 2 * minute });

let usersCreated = 0;

/** Creates a user with personal texts in each kind of record. Returns the user and these texts. */
async function person() {
  // The number makes the texts of each user unique.
  const name = `anna-${api.organizationId}-${++usersCreated}`;
  const texts = {
    reference: `${name} "ref"`,
    description: `for ${name}`,
    key: `key of ${name}`,
    why: `${name}!`,
  };
  const { user_id: user } = (await api.post('/users', { external_reference: texts.reference })).body;
  const gift = { amount: 30, description: texts.description, idempotency_key: texts.key };
  await api.post(`/users/${user}/tickets/credit`, gift);
  await api.post(`/users/${user}/entries/credit`, { ...gift, type: 'truck' });
  await spinUrl(await newUrl(api, user, { game: 'prizewheel' }));
  const guest = { num_of_spins: 2, idempotency_key: texts.key };
  const { body: spins } = await api.post(`/users/guest/${user}/game/play`, guest);
  const adjustment = {
    organizationId: api.organizationId,
    userId: user,
    account: 'tickets',
    amount: 2,
  } as const;
  await adjustBalance(adjustment, contextWith(texts.why));
  const step = { state: 'delivered', reference: texts.key, reason: texts.why };
  await api.put(`/prizes/${await wonGift(api, user)}`, step);
  const body = { person: texts.reference };
  await api.call('POST', `/webhooks/${webhookId}/invoke`, { body });
  // Waits for all webhook calls, because a later call would store texts again.
  const records = (await recordsOf(user)).filter((record) => record.kind !== 'orders');
  const events = records.flatMap(eventsOf);
  expect(events.length).toBeGreaterThanOrEqual(7);
  await eventually(async () => {
    const callsWithTexts = (await callsOf(api)).filter(({ payload }: { payload: object }) =>
      [user, texts.reference].some((text) =>
        JSON.stringify(payload).includes(JSON.stringify(text).slice(1, -1)),
      ),
    );
    expect(callsWithTexts.length).toBeGreaterThanOrEqual(events.length + 1);
    expect(callsWithTexts.map((call: Item) => call.event_type)).toContain('invoke');
  });
  return { user, gift, texts, guest, spins, name };
}

/**
 * Searches the items of the organization, the user, the user's reference, its invocations and three days' webhook
 * calls. Returns the items that contain `text`.
 */
async function itemsWith(text: string, user: string) {
  const { organizationId } = api;
  const days = [-1, 0, 1].map((days) => addDays(dayOf(Date.now()), days));
  const ranges = [
    { partition: userKey(organizationId, user).pk, prefix: '' },
    { partition: organizationKey(organizationId).pk, prefix: '' },
    ...days.flatMap((day) => webhookCallRanges(organizationId, day)),
    ...invocationsInShards(organizationId),
  ];
  const items = (await Promise.all(ranges.map((range) => readRange(range)))).flat();
  const reference = await getItem(referenceKey(organizationId, `${text} "ref"`));
  return [...items, ...(reference ? [reference] : [])].filter((item) => JSON.stringify(item).includes(text));
}
/** Dependencies of deliveries that end without an attempt. */
const unused = { now: Date.now } as DeliveryDeps;
const recordsOf = (user: string) => allRecords(api.organizationId, user);
const leavesOf = async (user: string) => (await recordsOf(user)).map(leafLineOf);

describe('an erased user', () => {
  test('has no text left in any item, but keeps amounts and ids', async () => {
    const { user, name } = await person();
    expect((await itemsWith(name, user)).length).toBeGreaterThan(10);
    const [leaves, { balances }] = [await leavesOf(user), await readUserOrErased(api.organizationId, user)];
    const { removed, complete, again_after } = await erase(user);
    expect(removed).toMatchObject({ records: leaves.length, actions: 1 });
    expect(removed.calls).toBeGreaterThanOrEqual(8);
    expect([complete, typeof again_after]).toEqual([false, 'string']);
    expect((await eraseLater(user)).complete).toBe(true);
    expect(await itemsWith(name, user)).toEqual([]);
    expect(await leavesOf(user)).toEqual(leaves);
    const after = await readUserOrErased(api.organizationId, user);
    expect(after).toMatchObject({ balances, external_reference: '' });
    expect(after).not.toHaveProperty('text_key');
  });

  test('is erased although DynamoDB throttles the writes', async () => {
    const { user } = await person();
    const send = dynamodb().send.bind(dynamodb());
    let throttled = 0;
    const sends = vi.spyOn(dynamodb(), 'send').mockImplementation((command: unknown) => {
      if (command instanceof PutCommand && throttled++ < 20) throw sdkError('ThrottlingException');
      return send(command as PutCommand);
    });
    const { removed } = await erase(user).finally(() => sends.mockRestore());
    expect(throttled).toBeGreaterThan(20);
    expect(removed.records).toBe((await recordsOf(user)).length);
  });

  test('is unknown to the host, and the reference is free', async () => {
    const { user, gift, texts } = await person();
    const url = await newUrl(api, user, { game: 'prizewheel' });
    const played = await newUrl(api, user, { game: 'prizewheel' });
    expect((await spinUrl(played)).status).toBe(200);
    await erase(user);
    const key = { amount: 1, idempotency_key: 'another' };
    const answers = [
      await api.get(`/users/${user}`),
      await api.get('/users', { external_reference: texts.reference }),
      await api.put(`/users/${user}`, { external_reference: 'x' }),
      await api.get(`/users/${user}/tickets/balance`),
      await api.post(`/users/${user}/tickets/credit`, key),
      await api.post(`/users/${user}/tickets/debit`, { ...key, amount: 1e9 }),
      await api.post(`/users/${user}/game/queue`, { num_of_spins: 1, idempotency_key: 'another' }),
      await api.post(`/users/guest/${user}/game/play`, { num_of_spins: 1, idempotency_key: 'more' }),
      await api.post(`/users/${user}/games/play`, { game: 'prizewheel' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [404, 'user_not_found']),
    );
    for (const one of [url, played]) {
      expect(await spinUrl(one)).toMatchObject({ status: 404, body: { code: 'play_not_found' } });
      const page = await fetch(one);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
    const again = await api.post('/users', { external_reference: texts.reference });
    expect(again.body.user_id).not.toBe(user);
    expect((await api.post(`/users/${again.body.user_id}/tickets/credit`, gift)).status).toBe(200);
  });

  test('still replays earlier requests', async () => {
    const { user, gift, guest, spins } = await person();
    const path = `/users/${user}/tickets/credit`;
    const before = await api.post(path, gift);
    await erase(user);
    const after = await api.post(path, gift);
    expect([after.status, after.body]).toEqual([200, before.body]);
    expect(after.headers.get('idempotent-replayed')).toBe('true');
    expect((await api.post(`/users/guest/${user}/game/play`, guest)).body).toEqual(spins);
    expect(await api.post(path, { ...gift, amount: 31 })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    const { body } = await api.get(`/users/${user}/tickets/history`);
    expect(body.transactions.at(-1)).toMatchObject({ amount: 30, description: '', idempotency_key: '' });
  });

  test('can be erased by repeated and by concurrent commands', async () => {
    const { user, name } = await person();
    await markUserErased(api.organizationId, user, contextWith());
    await eraseUserTexts(api.organizationId, user);
    expect((await erase(user)).removed).toMatchObject({ records: 0, actions: 1 });
    const nothing = { records: 0, actions: 0, calls: 0 };
    expect((await erase(user)).removed).toEqual(nothing);
    expect(await eraseLater(user)).toMatchObject({ removed: nothing, complete: true });
    expect(await itemsWith(name, user)).toEqual([]);
    const other = await person();
    await Promise.all([erase(other.user), erase(other.user)]);
    await Promise.all([eraseLater(other.user), eraseLater(other.user)]);
    expect(await itemsWith(other.name, other.user)).toEqual([]);
  });

  test('has no texts in deliveries that are sent later, and their invocations end', async () => {
    const { user, name, texts } = await person();
    const { organizationId } = api;
    const records = (await recordsOf(user)).filter((record) => record.kind !== 'orders');
    const webhook = await readWebhook(organizationId, webhookId);
    const deliveries = deliveriesOf(records, () => [webhook]).map(({ delivery }) => delivery);
    const invoked = (await callsOf(api)).filter(
      ({ payload }: Item) => (payload as Item).person === texts.reference,
    );
    const invocation = { ...deliveries[0]!, event_type: 'invoke', event_id: String(invoked[0]!.event_id) };
    expect(JSON.stringify(deliveries)).not.toContain(name);
    await erase(user);
    expect(await Promise.all(deliveries.map(readPayload))).toEqual(
      deliveries.map(({ event_id }) => expect.stringContaining(event_id)),
    );
    expect(JSON.stringify(await Promise.all(deliveries.map(readPayload)))).not.toContain(name);
    delete invocation.record;
    expect((await deliver(invocation, webhook, unused)).verdict).toBe('dropped');
  });

  test('is not complete while a webhook call can be running', () => {
    expect(maxWebhookCallMs).toBe((timeoutSecondsOf('workers/send-webhook') + 60) * 1000);
  });

  test('is complete two minutes later, without the texts of calls that were running', async () => {
    const { user, texts, name } = await person();
    const running = (await callsOf(api)).filter(
      ({ payload }: Item) => (payload as Item).person === texts.reference,
    );
    const { organizationId } = api;
    const midnight = startOfDay(addDays(dayOf(Date.now()), 1));
    const eraseAt = (now: number) => eraseUser(organizationId, user, { ...contextWith(), now });
    expect(await eraseAt(midnight - 1)).toMatchObject({ complete: false, again_after: expect.any(String) });
    await callRecorder()({
      ...running[0]!,
      timestamp: isoOf(midnight + minute),
      organization_id: organizationId,
      payload: JSON.stringify({ person: texts.reference }),
    } as WebhookCall);
    // A host can also invoke a webhook while the command runs.
    await api.call('POST', `/webhooks/${webhookId}/invoke`, { body: { [texts.reference]: 'is leaving' } });
    await receiver.until(1, ({ text }) => text.includes('is leaving'));
    await eventually(async () => expect(JSON.stringify(await callsOf(api))).toContain('is leaving'));
    expect(await eraseAt(midnight + 2 * minute)).toMatchObject({ removed: { calls: 2 }, complete: true });
    expect(await itemsWith(name, user)).toEqual([]);
  });

  test('is not complete two minutes after a run that was killed', async () => {
    const { user } = await person();
    await markUserErased(api.organizationId, user, contextWith());
    expect((await eraseLater(user)).complete).toBe(false);
    expect(await readUserOrErased(api.organizationId, user)).toHaveProperty('text_key');
  });

  test('leaves payloads of other users', async () => {
    const [erased, other] = [await person(), await person()];
    const before = await itemsWith(other.name, other.user);
    await erase(erased.user);
    expect(await itemsWith(other.name, other.user)).toEqual(expect.arrayContaining(before));
  });
});

test('a frozen user, or a user of a suspended organization, can be erased', async () => {
  const other = await newOrganization();
  const user = await other.user(3);
  await freezeUser(other.organizationId, user, contextWith());
  await changeSettings(other.organizationId, { suspended: true }, contextWith());
  await eraseUser(other.organizationId, user, contextWith());
  expect((await other.get(`/users/${user}`)).status).toBe(404);
});

test('operators still see the wins of an erased user', async () => {
  const { user, name } = await person();
  await erase(user);
  await eraseLater(user);
  const printed: string[] = [];
  const output = { out: (text: string) => printed.push(text), error: () => {} };
  for (const verb of ['find', 'history']) {
    const args = ['user', verb, '--org', api.organizationId, '--user', user, '--stage', 'local'];
    expect(await runCommand(args, output)).toBe(0);
  }
  expect(JSON.parse(printed[0]!)).toMatchObject({ erased_at: expect.any(String), external_reference: '' });
  expect(JSON.parse(printed[1]!).records.length).toBeGreaterThan(5);
  expect(printed.join('')).not.toContain(name);
});

describe('a user is not erased', () => {
  test('with queued free spins', async () => {
    const user = await api.user(3);
    await api.post(`/users/${user}/game/queue`, { num_of_spins: 3, idempotency_key: 'queue' });
    await expect(erase(user)).rejects.toThrow('3 free spins that have not run');
    expect((await api.get(`/users/${user}`)).status).toBe(200);
  });

  test.each([
    [['--why', ''], '--why is empty'],
    [[], '--why is missing'],
    [['--why', 'x', '--org', 'org_x'], 'There is no organization org_x'],
  ])('by a command with %j', async (args, message) => {
    const user = await api.user(3);
    const errors: string[] = [];
    const output = { out: () => {}, error: (text: string) => errors.push(text) };
    const own = ['user', 'erase', '--org', api.organizationId, '--user', user, ...args, '--stage', 'local'];
    expect(await runCommand(own, output)).not.toBe(0);
    expect(errors.join('\n')).toContain(message);
    expect((await api.get(`/users/${user}`)).status).toBe(200);
  });

  test('by another organization', async () => {
    const { organizationId } = await newOrganization();
    await expect(eraseUser(organizationId, await api.user(), contextWith())).rejects.toThrow(
      'Invalid user ID',
    );
  });
});
