import { expect, test } from 'vitest';
import { newPlaySession, type PlayResult, playedSessionWrite } from '../../shared/games/play-sessions.ts';
import { newId } from '../../shared/ids.ts';
import { indexNewRows } from '../../shared/reports/upkeep.ts';
import { getItem, type Item } from '../../shared/table/client.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { activeReportKey } from '../../shared/table/row-index-keys.ts';
import { invocationsInShards, webhookCallRanges } from '../../shared/table/webhook-keys.ts';
import { dayOf, isoOf } from '../../shared/time.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { invokeWebhook } from '../../shared/webhooks/invocations.ts';
import { registerWebhook } from '../../shared/webhooks/webhooks.ts';
import { lifetimes } from '../infra/deploy/manifest.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';
import { transactionOf, userOf } from '../support/records.ts';

await useDeliveryQueue();
const now = Date.now();
const organizationId = newId('org', now);
const callback = { callback_url: 'https://hooks.example.com/', secret_key: 's' };
const webhookOf = () => registerWebhook(organizationId, callback, now);
const session = () => {
  const play = { organization_id: organizationId, user_id: 'usr_1', game: 'truck', lang: 'en' } as const;
  const fields = { ...play, cost: 5, prize_table_version: '', validMs: 1000 };
  return newPlaySession(fields, 'token', Buffer.alloc(32), now);
};

/** For each type of item that expires, a write at the time `now`, and the written item. */
const written: Record<keyof typeof lifetimes, () => Promise<Item | undefined>> = {
  'unplayed session': async () => session(),
  'played session': async () => {
    const result = { outcome: { id: newId('out', now) }, fairness: {}, balance: 1 } as unknown as PlayResult;
    return playedSessionWrite(session(), result, now).Put?.Item;
  },
  async call() {
    const call = {
      organization_id: organizationId,
      webhook_id: 'wh_1',
      event_id: 'evt_1',
      event_type: 'outcome',
    };
    const sent = { url: callback.callback_url, payload: '{}', attempt: 1, duration_ms: 1 };
    await callRecorder()({ ...call, ...sent, timestamp: isoOf(now) });
    return readRange(webhookCallRanges(organizationId, dayOf(now))[0]!).then(([item]) => item);
  },
  async invocation() {
    const { webhook_id: webhookId } = await webhookOf();
    await invokeWebhook({ organizationId, webhookId, requestId: 'r', body: '{}', now });
    const found = await Promise.all(invocationsInShards(organizationId).map((range) => readRange(range)));
    return found.flat()[0];
  },
  async 'active report'() {
    const { record } = await transactionOf(userOf(organizationId, newId('usr', now)), 'tickets', now);
    await indexNewRows([record as Item], now, () => true);
    return getItem(activeReportKey(organizationId, 'tickets'));
  },
};

test.each(Object.entries(lifetimes))('an item expires as promised: %s', async (name, { seconds }) => {
  expect((await written[name]!())?.ttl).toBe(Math.ceil(now / 1000 + seconds));
});
