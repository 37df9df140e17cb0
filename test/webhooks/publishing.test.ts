import { randomUUID } from 'node:crypto';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/workers/publish-events.ts';
import type { HistoryRecord, OutcomeRecord } from '../../shared/accounts/records.ts';
import { eventSchema } from '../../shared/api/event-schemas.ts';
import { tableClient } from '../../shared/table/client.ts';
import { recordTimeKey } from '../../shared/table/keys.ts';
import { eventTypes } from '../../shared/vocabulary.ts';
import { replacedFrom } from '../../shared/webhooks/audience.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import { type EventRecord, eventsOf } from '../../shared/webhooks/events.ts';
import { publishEvents } from '../../shared/webhooks/publishing.ts';
import { type ReplayWindow, requeueEvents } from '../../shared/webhooks/replay.ts';
import { readWebhook, registerWebhook, type Subscription } from '../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { whileCopiesLag } from '../support/calls.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';
import { insertOf, newOutcome, transactionOf, userOf } from '../support/records.ts';

let api: Api;
const { queue, ...deliveries } = await useDeliveryQueue();
// Skips invocations: a delivery of an earlier test file that still runs in this process can queue its retry here.
const queued = () => deliveries.queued().filter(({ event_type }) => event_type !== 'invoke');

beforeAll(async () => {
  api = await newOrganization();
  for (const path of ['a', 'b']) {
    await api.post('/webhooks', { callback_url: `https://hooks.example.com/${path}`, secret_key: 'secret' });
  }
});
/** Replays a window for all webhooks or one. Returns the number of records. */
async function replayed(window: ReplayWindow, webhookId?: string): Promise<number> {
  const webhook = webhookId ? await readWebhook(window.organizationId, webhookId) : undefined;
  const recipient = webhook && { webhook, replaced: replacedFrom(webhook, [webhook]) };
  let count = 0;
  for await (const records of requeueEvents(window, recipient)) count += records.length;
  return count;
}
const ids = (deliveries: Delivery[]) =>
  new Set(deliveries.map(({ event_id, webhook_id }) => event_id + webhook_id));

// Returns a ULID later than the registration of every webhook in this file, because a webhook gets only events of
// later records.
const ulidOf = (index: number) => `0200000000${String(index).padStart(16, '0')}`;
const common = (index: number) => ({
  pk: '',
  sk: '',
  ...recordTimeKey('', '', 'tickets', ''),
  organization_id: api?.organizationId ?? 'org_1',
  user_id: 'usr_1',
  external_reference: 'host-1',
  date_created: '2026-01-05T12:00:00.000Z',
  sequence: index,
  event_sequence: index,
  number: 1,
  hash: '',
});
const ofDrawing = (action: 'drawing_closed' | 'drawing_won', about: object): EventRecord => ({
  ...common(9),
  kind: 'actions',
  action_id: `act_${ulidOf(9)}`,
  action,
  about: {
    drawing: {
      drawing_id: `drw_${ulidOf(8)}`,
      type: 'truck',
      closes: '2026-01-03',
      draws_at: '2026-01-05T12:00:00.000Z',
      round: 5,
      winners: 1,
      prize: { en: 'A truck', es: 'Una camioneta' },
      value_usd: 45_000,
      claim_days: 30,
    },
    ...about,
  },
});
const ticket = (index: number): HistoryRecord => ({
  ...common(index),
  kind: 'tickets',
  transaction_id: `txn_${ulidOf(index)}`,
  amount: -5,
  balance_after: 3,
  description: 'A game',
  outcome_id: 'out_1',
  result_effective_date: '2026-01-05T05:00:00.000Z',
});
const outcome = (
  index: number,
  prize: Record<string, number>,
  game_status: OutcomeRecord['game_status'],
): HistoryRecord => ({
  ...common(index),
  ...newOutcome('2026-01-05T05:00:00.000Z'),
  id: `out_${ulidOf(index)}`,
  play_type: 'amoe',
  game: 'truck',
  prize,
  game_status,
  timestamp: '2026-01-05T12:00:00.000Z',
  debug: 'jackpot',
});

const claim = (index: number): HistoryRecord => ({
  ...common(index),
  kind: 'claims',
  claim_id: `clm_${ulidOf(index)}`,
  prize_id: 'out_1',
  prize: { prize_streaming: 1 },
  state: 'delivered',
  reference: 'parcel',
  reason: 'asked for',
  delivered_on: '2026-01-05',
  operator: 'API key 1',
});

describe('the events of a record', () => {
  const dataByType = (record: HistoryRecord) =>
    Object.fromEntries(eventsOf(record).map(({ type, data }) => [type, JSON.parse(JSON.stringify(data))]));

  test('a transaction has a balance_updated event', () => {
    const common = {
      user_id: 'usr_1',
      external_reference: 'host-1',
      amount: -5,
      new_balance: 3,
      outcome_id: 'out_1',
    };
    const data = { ...common, transaction_id: `txn_${ulidOf(1)}`, description: 'A game' };
    expect(dataByType(ticket(1))).toEqual({ balance_updated: { ...data, balance_type: 'tickets' } });
    const entry = { ...ticket(1), kind: 'entries', entry_type: 'flight', number_of_type: 1 } as HistoryRecord;
    expect(dataByType(entry)).toEqual({ balance_updated: { ...data, balance_type: 'flight' } });
  });

  test('an outcome has an event, and so does its cash or prize', () => {
    const common = {
      user_id: 'usr_1',
      external_reference: 'host-1',
      result_effective_date: '2026-01-05T05:00:00.000Z',
    };
    const all = {
      ...common,
      id: `out_${ulidOf(2)}`,
      play_type: 'amoe',
      game: 'truck',
      timestamp: '2026-01-05T12:00:00.000Z',
      debug: 'jackpot',
    };
    const won = { ...common, outcome_id: `out_${ulidOf(2)}` };
    expect(dataByType(outcome(2, { cash_usd: 25 }, 'Cash'))).toEqual({
      outcome: { ...all, prize: { cash_usd: 25 }, game_status: 'Cash' },
      cash_won: { ...won, cash_usd: 25 },
    });
    expect(dataByType(outcome(2, { prize_streaming: 1 }, 'Extra-prize'))).toEqual({
      outcome: { ...all, prize: { prize_streaming: 1 }, game_status: 'Extra-prize' },
      prize_won: { ...won, prize: { prize_streaming: 1 } },
    });
    expect(Object.keys(dataByType(outcome(2, { tickets: 3 }, 'Ticket-only')))).toEqual(['outcome']);
  });

  test('match the OpenAPI document field by field', () => {
    const records = [
      ticket(1),
      { ...ticket(1), outcome_id: undefined, idempotency_key: 'key' } as HistoryRecord,
      outcome(2, { cash_usd: 25 }, 'Cash'),
      outcome(3, { prize_streaming: 1 }, 'Extra-prize'),
      ofDrawing('drawing_closed', { list: { root: 'ab', entrants: 2, total_entries: '9' } }),
      ofDrawing('drawing_won', { user_id: 'usr_1', place: 1 }),
      claim(4),
    ];
    const events = records.flatMap((record) => eventsOf(record));
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes));
    for (const event of events) {
      const payload = JSON.parse(JSON.stringify(event));
      // Expects that the schema declares all fields of the event, because parsing drops undeclared fields.
      expect(eventSchema(event.type).parse(payload)).toEqual(payload);
    }
  });

  test('have ids derived from the record and the type, and different from all others', () => {
    const records = [...times(50, ticket), ...times(50, (i) => outcome(i, { cash_usd: 1 }, 'Cash'))];
    const made = records.flatMap((record) => eventsOf(record)).map(({ id }) => id);
    expect(made).toEqual(records.flatMap((record) => eventsOf(record)).map(({ id }) => id));
    expect(new Set(made).size).toBe(150);
    for (const id of made) expect(id).toMatch(/^evt_0200000000[0-9A-HJKMNP-TV-Z]{16}$/);
  });
});

describe('publishing', () => {
  test('queues an event once per callback, for the newest webhook that subscribes to it', async () => {
    const mine = await newOrganization();
    const register = async (callback_url: string, event = 'all') =>
      (await mine.post('/webhooks', { callback_url, secret_key: 'secret', event })).body.webhook_id;
    const queuedFor = async (record: HistoryRecord) => {
      queue.purge();
      await publishEvents([{ ...record, organization_id: mine.organizationId }]);
      return queued().map(({ event_type, webhook_id }) => [event_type, webhook_id]);
    };
    const first = await register('https://hooks.example.com/in');
    const other = await register('https://hooks.example.com/in?other');
    await register('https://HOOKS.example.com:443/x/../in', 'balance_updated');
    const last = await register('https://hooks.example.com/in#part', 'balance_updated');
    expect((await queuedFor(ticket(1))).sort()).toEqual(
      [
        ['balance_updated', other],
        ['balance_updated', last],
      ].sort(),
    );
    expect((await queuedFor(outcome(2, { tickets: 3 }, 'Ticket-only'))).sort()).toEqual(
      [
        ['outcome', first],
        ['outcome', other],
      ].sort(),
    );
  });

  test('queues each event once for each webhook, ten per request', async () => {
    expect(await publishEvents(times(25, ticket))).toBeUndefined();
    expect(queued()).toHaveLength(50);
    expect(ids(queued()).size).toBe(50);
    const [message] = queue.messages();
    expect(message!.groupId).toMatch(/^org_\w+#[0-3]$/);
  });

  test('includes webhooks that were created a moment ago, by consistent reads', async () => {
    await whileCopiesLag(tableClient, () => publishEvents([ticket(50)]));
    expect(queued()).toHaveLength(2);
  });

  test('queues no events from before a webhook’s registration, but queues them for an older webhook with the same callback', async () => {
    const before = await newOrganization();
    const register = (now: number, event: Subscription) =>
      registerWebhook(
        before.organizationId,
        { callback_url: 'https://hooks.example.com/', secret_key: 's', event },
        now,
      );
    const at = Date.parse('2026-01-05T12:00:00Z');
    const { webhook_id: older } = await register(at - 1000, 'all');
    const { webhook_id: newer } = await register(at + 1000, 'balance_updated');
    const recordAt = async (time: number) =>
      (await transactionOf(userOf(before.organizationId, 'usr_1'), 'tickets', time)).record;
    await publishEvents([await recordAt(at - 2000), await recordAt(at), await recordAt(at + 2000)]);
    expect(
      queued()
        .map(({ webhook_id }) => webhook_id)
        .sort(),
    ).toEqual([older, newer].sort());
  });

  test('of a stream batch continues from the first record that could not be queued', async () => {
    const large = { ...ticket(302), user_id: 'x'.repeat(1_100_000) };
    const batch = [ticket(300), ticket(301), large, ticket(303)].map((record, index) =>
      insertOf(record, `${index}`),
    );
    // Expects that the worker ignores the change of a record: the worker published the record when it was inserted.
    const change = { ...insertOf(ticket(304), 'changed'), eventName: 'MODIFY' as const };
    const event: DynamoDBStreamEvent = { Records: [change, ...batch] };
    expect(await handler(event)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });

  test('of a time window again uses the same event ids', async () => {
    const user = await api.user();
    const before = Date.now();
    for (const type of ['tickets', 'entries', 'tickets']) {
      await api.post(`/users/${user}/${type}/credit`, { amount: 1, idempotency_key: randomUUID() });
    }
    const after = Date.now() + 1;
    const { organizationId } = api;
    expect(await replayed({ organizationId, from: before, to: after })).toBe(3);
    const first = ids(queued());
    expect(first.size).toBe(6);
    queue.purge();
    expect(await replayed({ organizationId, from: before, to: after })).toBe(3);
    expect(ids(queued())).toEqual(first);
    expect(await replayed({ organizationId, from: after, to: after + 1000 })).toBe(0);
    expect(await replayed({ organizationId, from: 1, to: 1000 })).toBe(0);
  });

  test('again for one webhook reaches no other webhook, and keeps the order of the records', async () => {
    const mine = await newOrganization();
    const { organizationId } = mine;
    const user = await mine.user();
    const from = Date.now();
    for (const type of ['tickets', 'entries', 'tickets', 'entries']) {
      await mine.post(`/users/${user}/${type}/credit`, { amount: 1, idempotency_key: randomUUID() });
    }
    // Registers webhooks after the records, so that the stage's own publishing queues nothing for them.
    const register = async (path: string) =>
      (await mine.post('/webhooks', { callback_url: `https://x.example/${path}`, secret_key: 's' })).body;
    const { webhook_id: webhookId } = await register('a');
    await register('a');
    await register('b');
    queue.purge();
    expect(await replayed({ organizationId, from, to: Date.now() + 1 }, webhookId)).toBe(4);
    // `webhookId` is the older of two webhooks with the same URL. Without a replay, only the newer one gets events.
    expect(queued().map(({ webhook_id }) => webhook_id)).toEqual(times(4, () => webhookId));
    const ulids = queued().map(({ record }) => record!.ulid);
    expect(ulids).toEqual([...new Set(ulids)].sort());
  });
});
