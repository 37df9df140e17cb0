import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { putItem } from '../../shared/table/client.ts';
import { invocationKey } from '../../shared/table/webhook-keys.ts';
import type { WebhookCall } from '../../shared/webhooks/calls.ts';
import { deliver } from '../../shared/webhooks/delivery.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import { guardedPost } from '../../shared/webhooks/post.ts';
import { retryDelaySeconds } from '../../shared/webhooks/retry-schedule.ts';
import { readWebhook, type Webhook } from '../../shared/webhooks/webhooks.ts';
import { newOrganization, times } from '../support/api.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';

const statuses = times(402, (index) => 199 + index);
const isSuccess = (status: number) => status >= 200 && status <= 299;

const { clock, queued, parked, ...deliveries } = await useDeliveryQueue();
let webhook: Webhook;
let redirected = 0;
let retryAfter = '';
/** Answers with the status in the path. Node's own server would not send all of them. */
const receiver = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (request) => {
    const status = /^POST \/(\d+) /.exec(String(request))?.[1];
    if (!status) redirected += 1;
    socket.end(
      `HTTP/1.1 ${status ?? 200} X\r\nlocation: /elsewhere\r\nconnection: close\r\ncontent-length: 0\r\n${retryAfter}\r\n`,
    );
  });
});

beforeAll(async () => {
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const api = await newOrganization();
  const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'secret' };
  const { body } = await api.post('/webhooks', fields);
  webhook = await readWebhook(api.organizationId, body.webhook_id);
  await putItem({ ...invocationKey(api.organizationId, 'inv_status'), payload: '{}' });
});
afterAll(() => receiver.close());
beforeEach(() => {
  retryAfter = '';
});

/** Sends a delivery to receivers with these statuses. Returns what became of it by each. */
async function answeredWith(codes: number[], attempt: number) {
  const { port } = receiver.address() as { port: number };
  const calls: WebhookCall[] = [];
  const deps = deliveries.deps(guardedPost('local'), calls);
  const verdicts = new Map<number, string>();
  for (let from = 0; from < codes.length; from += 50) {
    await Promise.all(
      codes.slice(from, from + 50).map(async (status) => {
        const { organization_id, webhook_id } = webhook;
        // The attempt's URL, and a field that comes back from the queue, name the status.
        const delivery = {
          event_id: 'inv_status',
          event_type: 'invoke',
          organization_id,
          webhook_id,
          attempt,
        };
        const at = { ...webhook, callback_url: `http://127.0.0.1:${port}/${status}` };
        const { verdict } = await deliver({ ...delivery, status } as Delivery, at, deps);
        verdicts.set(status, verdict);
      }),
    );
  }
  return { verdicts, calls };
}

const statusesIn = (messages: Delivery[]) =>
  messages.map((message) => (message as Delivery & { status: number }).status).sort((a, b) => a - b);
const failuresAmong = (codes: number[]) => codes.filter((status) => !isSuccess(status) && status !== 410);
const expectedVerdicts = (codes: number[], failed: string) =>
  new Map(
    codes.map((status) => [status, isSuccess(status) ? 'delivered' : status === 410 ? 'gone' : failed]),
  );
const byStatus = (verdicts: Map<number, string>) => new Map([...verdicts].sort(([a], [b]) => a - b));

test.each([
  ['', retryDelaySeconds[0]],
  ['retry-after: 600\r\n', 600],
])(
  'only a status from 200 to 299 counts as delivered, 410 ends it, and any other is sent again (%j)',
  async (header, seconds) => {
    retryAfter = header;
    const { verdicts, calls } = await answeredWith(statuses, 1);
    expect(byStatus(verdicts)).toEqual(expectedVerdicts(statuses, 'retried'));
    expect(statusesIn(queued())).toEqual(failuresAmong(statuses));
    const waits = queued().map(({ not_before, ...message }) => [
      (not_before! - clock.now()) / 1000,
      message.attempt,
    ]);
    // 199 is no final status, so that its Retry-After counts for nothing.
    const early = header && queued().findIndex((message) => statusesIn([message])[0] === 199);
    for (const [index, wait] of waits.entries())
      expect(wait).toEqual([index === early ? retryDelaySeconds[0] : seconds, 2]);
    expect(parked()).toEqual([]);
    expect(redirected).toBe(0);
    const recorded = calls.map(({ url, response_status = 199 }) => [new URL(url).pathname, response_status]);
    expect(recorded.sort()).toEqual(statuses.map((status) => [`/${status}`, status]));
  },
);

test('after the last attempt, every status but 2xx and 410 leaves the delivery parked for an operator', async () => {
  const edges = [199, 200, 299, 300, 302, 308, 399, 400, 404, 409, 410, 411, 429, 499, 500, 503, 599, 600];
  const { verdicts } = await answeredWith(edges, retryDelaySeconds.length + 1);
  expect(byStatus(verdicts)).toEqual(expectedVerdicts(edges, 'parked'));
  expect(statusesIn(parked())).toEqual(failuresAmong(edges));
  expect(queued()).toEqual([]);
});
