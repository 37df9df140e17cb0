import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { getItem, putItem, tableClient, tableName } from '../../shared/table/client.ts';
import { ttlAt } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { invocationKey, invocationsInShards } from '../../shared/table/webhook-keys.ts';
import { eraseUserFromCalls } from '../../shared/webhooks/calls-of-user.ts';
import {
  changeInvocation,
  invocationId,
  invokeWebhook,
  type StoredInvocation,
} from '../../shared/webhooks/invocations.ts';
import { type Answer, type Api, callsOf, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { expectError } from '../support/expectations.ts';
import { isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';

let api: Api;
let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  api = await newOrganization();
  receiver = await startReceiver();
  const { body } = await api.post('/webhooks', {
    callback_url: receiver.url,
    secret_key: 'secret',
    event: 'outcome',
  });
  webhookId = body.webhook_id;
});
afterAll(async () => {
  await api.delete(`/webhooks/${webhookId}`);
  await receiver.close();
});
const invoke = (body: unknown, query: Record<string, string> = {}) =>
  api.call('POST', `/webhooks/${webhookId}/invoke`, { body, query });
const marked = (mark: string) => (call: { payload: { mark?: string } }) => call.payload.mark === mark;

describe('an invocation', () => {
  test('delivers the body byte for byte, signed, and responds only with its status', async () => {
    const text = '{ "mark":"bytes",\n  "n": 1e400, "deep": {"é": "\\u00e9 <aws.scheduler.scheduled-time>"} }';
    const answer = await invoke(text);
    expect([answer.status, answer.body]).toEqual([200, { status: 'success' }]);
    const [call] = await receiver.until(1, marked('bytes'));
    expect(call!.text).toBe(text);
    expect(isSignedWith('secret', call!)).toBe(true);
    expect(call!.id).toMatch(/^inv_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  test('is delivered once per request id, however often and concurrently it is requested', async () => {
    const answers = await Promise.all(times(12, () => invoke({ mark: 'once' }, { request_id: 'r1' })));
    expect(answers.map(({ status }) => status)).toEqual(times(12, () => 200));
    expect((await invoke({ mark: 'once' }, { request_id: 'r1' })).status).toBe(200);
    await invoke({ mark: 'after' }, { request_id: 'r2' });
    await receiver.until(1, marked('after'));
    await receiver.until(1, marked('once'));
    expect(receiver.calls.filter(marked('once'))).toHaveLength(1);
  });

  test('with a used request id and another body is refused, and not delivered', async () => {
    const query = { request_id: 'two-bodies' };
    expect((await invoke({ mark: 'first' }, query)).status).toBe(200);
    const message = 'request_id already used with a different body';
    expectError(await invoke({ mark: 'second' }, query), 422, 'idempotency_key_reused', message);
    expect((await invoke({ mark: 'first' }, query)).status).toBe(200);
    await invoke({ mark: 'third' });
    await receiver.until(1, marked('third'));
    await receiver.until(1, marked('first'));
    expect(receiver.calls.filter(marked('second'))).toEqual([]);
  });

  test('with a request id that another webhook has used is delivered', async () => {
    const { body } = await api.post('/webhooks', { callback_url: `${receiver.url}other`, secret_key: 's' });
    const path = `/webhooks/${body.webhook_id}/invoke`;
    const sent = { body: { mark: 'both' }, query: { request_id: 'both' } };
    expect((await invoke(sent.body, sent.query)).status).toBe(200);
    expect((await api.call('POST', path, sent)).status).toBe(200);
    const calls = await receiver.until(2, marked('both'));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    await api.delete(`/webhooks/${body.webhook_id}`);
  });

  test('of two concurrent ones with different bodies and one request id, one is delivered', async () => {
    const bodies = [
      { mark: 'race', n: 1 },
      { mark: 'race', n: 2 },
    ];
    const answers = await Promise.all(bodies.map((body) => invoke(body, { request_id: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const [call] = await receiver.until(1, marked('race'));
    expect(call!.payload).toEqual(bodies[answers.findIndex(({ status }) => status === 200)]);
  });

  test('cannot be mistaken for an event, whatever its body', async () => {
    const forged = { id: 'evt_01M7W28HGG0123456789ABCDEF', type: 'cash_won', mark: 'forged' };
    await invoke(forged);
    const [call] = await receiver.until(1, marked('forged'));
    expect(call!.id).toMatch(/^inv_/);
    expect(isSignedWith('secret', call!)).toBe(true);
    const asEvent = { ...call!, headers: { ...call!.headers, 'webhook-id': forged.id } };
    expect(isSignedWith('secret', asEvent)).toBe(false);
  });

  test('is delivered every time without a request id, each time under a new id', async () => {
    await invoke({ mark: 'anew' });
    await invoke({ mark: 'anew' });
    const calls = await receiver.until(2, marked('anew'));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test('appears in the history', async () => {
    await invoke({ mark: 'history' });
    await eventually(async () => {
      const calls = await callsOf(api);
      const found = calls.find(({ payload }: never) => marked('history')({ payload }));
      expect(found).toMatchObject({
        payload: { mark: 'history' },
        event_id: expect.stringMatching(/^inv_/),
        event_type: 'invoke',
        attempt: 1,
        response_status: 200,
      });
    });
  });

  test('does not break the history with the deepest allowed nesting', async () => {
    const text = `{"mark":"deep","constructor":"[[[","list":${'['.repeat(99)}${']'.repeat(99)},"wide":[${'[],'.repeat(99)}[]]}`;
    expect((await invoke(text)).status).toBe(200);
    await receiver.until(1, marked('deep'));
    await eventually(async () => {
      const calls = await callsOf(api);
      const found = calls.find(({ payload }: never) => marked('deep')({ payload }));
      expect(JSON.stringify(found.payload)).toBe(text);
    });
  });

  describe('of an erased user', () => {
    const person = { user_id: 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ', external_reference: '' };
    const payload = JSON.stringify({ user_id: person.user_id });
    const erase = () => eraseUserFromCalls(api.organizationId, person, Date.now());
    const request = () => ({
      organizationId: api.organizationId,
      webhookId,
      requestId: 'erased',
      body: payload,
      now: Date.now(),
    });
    /** Runs `work`, and `meanwhile` before the put with this number, from 0. */
    function interrupted(work: () => Promise<unknown>, number: number, meanwhile: () => Promise<unknown>) {
      let puts = 0;
      return watchingCalls(
        tableClient,
        work,
        async ({ operation }) => void (operation === 'PutItem' && puts++ === number && (await meanwhile())),
      );
    }
    /** Stores an invocation that is not queued yet. */
    async function claimed(): Promise<StoredInvocation> {
      const invocation = {
        ...invocationKey(api.organizationId, newId('inv', Date.now())),
        ...ttlAt(Date.now() + 1_000_000),
        ...{ payload, parameters: 'digest', queued: false, claimed_by: 'me', claimed_until: 1 },
      };
      await putItem(invocation);
      return invocation;
    }
    const withoutPayload = ({ payload: _, parameters: __, ...rest }: StoredInvocation) => rest;

    test('is marked as queued, without its payload, if the erasure comes before the mark', async () => {
      let erased: StoredInvocation | undefined;
      await interrupted(
        () => invokeWebhook(request()),
        1,
        async () => {
          await erase();
          const ranges = invocationsInShards(api.organizationId);
          const items = await Promise.all(ranges.map((range) => readRange(range, { consistent: true })));
          erased = (items.flat() as StoredInvocation[]).find((item) => item.payload === undefined);
        },
      );
      expect(erased).toMatchObject({ queued: false });
      expect(await getItem(erased!)).toEqual({ ...erased, queued: true });
      // A repeated request reads that its invocation is queued, and does not queue it again.
      const { calls } = await watchingCalls(tableClient, () => invokeWebhook(request()));
      expect(calls.map(({ operation }) => operation)).toEqual(['GetItem', 'PutItem', 'GetItem']);
      expect(await getItem(erased!)).toEqual({ ...erased, queued: true });
    });

    test('is sent if it was erased before it was queued, and its host repeats it', async () => {
      const repeated = { ...request(), requestId: 'erased before it was queued' };
      const key = invocationKey(
        api.organizationId,
        invocationId(api.organizationId, webhookId, repeated.requestId),
      );
      const crashed = {
        ...ttlAt(Date.now() + 1_000_000),
        queued: false,
        claimed_by: 'crashed',
        claimed_until: 1,
      };
      await putItem({ ...key, ...crashed });
      await invokeWebhook(repeated);
      expect(await getItem(key)).toMatchObject({ queued: true, payload });
    });

    test('stays marked as queued if the mark comes before the erasure', async () => {
      const before = await claimed();
      const mark = () => changeInvocation(before, (invocation) => ({ ...invocation, queued: true }));
      await interrupted(erase, 0, mark);
      expect(await getItem(before)).toEqual({ ...withoutPayload(before), queued: true });
    });

    test('does not come back after it has expired', async () => {
      const before = await claimed();
      const expire = () =>
        tableClient.send(
          new DeleteCommand({ TableName: tableName(), Key: { pk: before.pk, sk: before.sk } }),
        );
      await interrupted(erase, 0, expire);
      expect(await getItem(before)).toBeUndefined();
    });
  });

  test('stays marked as queued if DynamoDB carries out a repeated attempt of its claim late', async () => {
    const sent = vi.spyOn(tableClient, 'send');
    const [organizationId, requestId, body] = [api.organizationId, 'late claim', '{"mark":"late claim"}'];
    await invokeWebhook({ organizationId, webhookId, requestId, body, now: Date.now() });
    const puts = sent.mock.calls.map(([command]) => command).filter((one) => one instanceof PutCommand);
    sent.mockRestore();
    const [claim] = puts as [PutCommand];
    await expect(tableClient.send(new PutCommand(claim.input))).rejects.toThrow(
      'The conditional request failed',
    );
    expect(await getItem(claim.input.Item as StoredInvocation)).toMatchObject({ queued: true });
  });

  test('can be sent again, but with no other body, if its delivery could not be queued', async () => {
    const once = (now: number, body = '{"mark":"lost"}') =>
      invokeWebhook({ organizationId: api.organizationId, webhookId, requestId: 'lost', body, now });
    const { QUEUE_URL_DELIVERIES } = process.env;
    process.env.QUEUE_URL_DELIVERIES = `${QUEUE_URL_DELIVERIES}-nowhere`;
    await expect(once(Date.now())).rejects.toMatchObject({ status: 503 });
    process.env.QUEUE_URL_DELIVERIES = QUEUE_URL_DELIVERIES;
    await expect(once(Date.now(), '{}')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await once(Date.now());
    await receiver.until(1, marked('lost'));
  });

  test.each([
    ['nothing', undefined],
    ['no JSON', '{"a":'],
    ['a list', '[]'],
    ['a text', '"hello"'],
    ['null', 'null'],
    ['an object too deep for the history', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['an object too deep for anything', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['bytes that are not UTF-8', Buffer.from('{"text":"\xff"}', 'latin1')],
    ['too much', JSON.stringify({ text: 'x'.repeat(65_536) })],
  ])('is refused with a body of %s', async (_, body) => {
    const answer: Answer = await invoke(body, { request_id: 'bad' });
    const detail =
      'Request body must be a JSON object in UTF-8, of at most 64 KiB, nested 100 levels deep at most';
    expectError(answer, 422, 'validation_failed', 'Unprocessable Entity', detail);
  });
});
