import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler } from '../../functions/workers/send-webhook.ts';
import { sqs } from '../../shared/aws.ts';
import { putItem, tableClient } from '../../shared/table/client.ts';
import { invocationKey } from '../../shared/table/webhook-keys.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

let api: Api;
let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  api = await newOrganization();
  receiver = await startReceiver();
  const { body } = await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
  webhookId = body.webhook_id;
  const names = ['a', 'b', 'c', 'unqueued', 'loopback', ...times(6, (i) => `fails_${i}`)];
  for (const name of names)
    await putItem({ ...invocationKey(api.organizationId, `inv_${name}`), payload: '{}' });
});
afterAll(() => receiver.close());

const delivery = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: webhookId,
  event_id: id,
  event_type: 'invoke',
  attempt: 1,
  ...more,
});
const batch = (...bodies: unknown[]) =>
  ({
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as SQSEvent;

describe('a batch of deliveries', () => {
  test('is sent completely, and only unsettled messages are redelivered', async () => {
    const answer = await handler(batch(delivery('inv_a'), 'no delivery', 'null', '{}', delivery('inv_b')));
    expect(answer.batchItemFailures).toEqual(['m1', 'm2', 'm3'].map((id) => ({ itemIdentifier: id })));
    expect(receiver.calls.map(({ id }) => id).sort()).toEqual(['inv_a', 'inv_b']);
  });

  test('reaches no webhook of another organization', async () => {
    const other = await newOrganization();
    const stray = delivery('inv_stray', { organization_id: other.organizationId });
    expect(await handler(batch(stray))).toEqual({ batchItemFailures: [] });
    expect(receiver.calls.some(({ id }) => id === 'inv_stray')).toBe(false);
  });

  test('is redelivered completely if the table is unavailable', async () => {
    const { TABLE_NAME } = process.env;
    process.env.TABLE_NAME = 'nowhere';
    await expect(handler(batch(delivery('inv_c')))).rejects.toThrow();
    process.env.TABLE_NAME = TABLE_NAME;
    expect(await handler(batch(delivery('inv_c')))).toEqual({ batchItemFailures: [] });
    expect(receiver.calls.filter(({ id }) => id === 'inv_c')).toHaveLength(1);
  });

  test('is never lost if a call to DynamoDB fails: it is sent or redelivered', async () => {
    for (const failing of times(6, (i) => i)) {
      const id = `inv_fails_${failing}`;
      const run = () => handler(batch(delivery(id)));
      const fault = (_: unknown, i: number) => (i === failing ? { instead: new Error('broken') } : undefined);
      const failures = await watchingCalls(tableClient, run, fault).then(
        ({ result }) => result.batchItemFailures.length,
        () => 1,
      );
      expect(failures + receiver.calls.filter((call) => call.id === id).length).toBeGreaterThan(0);
    }
  });

  test('is redelivered if its retry cannot be queued', async () => {
    receiver.behave(() => 500);
    const queue = vi.spyOn(sqs(), 'send').mockRejectedValue(new Error('no queue'));
    const answer = await handler(batch(delivery('inv_unqueued')));
    queue.mockRestore();
    receiver.behave(() => 200);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'm0' }]);
  });

  test('reaches no address of the machine itself on a deployed stage', async () => {
    vi.stubEnv('STAGE', 'production');
    vi.resetModules();
    const deployed = await import('../../functions/workers/send-webhook.ts');
    await deployed.handler(batch(delivery('inv_loopback')));
    vi.unstubAllEnvs();
    expect(receiver.calls.some(({ id }) => id === 'inv_loopback')).toBe(false);
  });
});
