import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, newOrganization, times } from '../support/api.ts';
import { isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';

let api: Api;
let receiver: Receiver;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

beforeAll(async () => {
  api = await newOrganization();
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const register = async (of: Api, fields: object = {}) =>
  (await of.post('/webhooks', { callback_url: receiver.url, secret_key: secret, ...fields })).body.webhook_id;
const aboutUser = (user: string) => (call: { payload: { data?: { user_id?: string } } }) =>
  call.payload?.data?.user_id === user;

describe('events', () => {
  test('a credit is delivered within two seconds, signed, with the new balance', async () => {
    const id = await register(api);
    const user = await api.user();
    const answer = await api.post(`/users/${user}/tickets/credit`, {
      amount: 12,
      description: 'A present',
      idempotency_key: 'told',
    });
    const [call] = await receiver.until(1, aboutUser(user));
    expect(call!.payload).toEqual({
      id: call!.id,
      type: 'balance_updated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sequence: 1,
      data: {
        user_id: user,
        external_reference: expect.any(String),
        balance_type: 'tickets',
        amount: 12,
        new_balance: 12,
        transaction_id: answer.body.transaction_id,
        idempotency_key: 'told',
        description: 'A present',
      },
    });
    expect(call!.id).toMatch(/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(isSignedWith(secret, call!)).toBe(true);
    expect(isSignedWith('another secret', call!)).toBe(false);
    await api.delete(`/webhooks/${id}`);
  });
  test('replays and refusals send no events', async () => {
    const id = await register(api);
    const user = await api.user();
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'once' });
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'once' });
    await api.post(`/users/${user}/tickets/debit`, { amount: 9, idempotency_key: 'too much' });
    await api.post(`/users/${user}/entries/credit`, { amount: 3, type: 'flight', idempotency_key: 'last' });
    await receiver.until(1, (call) => call.payload?.data?.idempotency_key === 'once');
    await receiver.until(1, (call) => call.payload?.data?.idempotency_key === 'last');
    const calls = receiver.calls.filter(aboutUser(user));
    expect(calls.map(({ payload }) => payload.data.idempotency_key).sort()).toEqual(['last', 'once']);
    await api.delete(`/webhooks/${id}`);
  });
  test('each webhook of an organization receives the events it subscribes to, and no other organization does', async () => {
    const other = await newOrganization();
    const path = new URL(receiver.url).origin;
    await register(other, { callback_url: `${path}/other` });
    const wanted = await register(api, { callback_url: `${path}/wanted`, event: 'balance_updated' });
    const unwanted = await register(api, { callback_url: `${path}/unwanted`, event: 'cash_won' });
    const user = await api.user();
    await Promise.all(
      times(5, (i) => api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: `k${i}` })),
    );
    const calls = await receiver.until(5, aboutUser(user));
    expect(calls.map((call) => call.path)).toEqual(times(5, () => '/wanted'));
    expect(calls.map(({ payload }) => payload.sequence).sort()).toEqual([1, 2, 3, 4, 5]);
    for (const id of [wanted, unwanted]) await api.delete(`/webhooks/${id}`);
  });

  test('a user’s events are numbered without gaps, although free spin orders have no events', async () => {
    const mine = await newOrganization();
    const id = await register(mine);
    const user = await mine.user();
    const credit = (idempotency_key: string) =>
      mine.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key });
    await credit('first');
    await mine.post(`/users/${user}/game/queue`, { num_of_spins: 1, idempotency_key: 'queued' });
    await credit('second');
    await mine.post(`/users/guest/${user}/game/play`, { num_of_spins: 3, idempotency_key: 'guest' });
    await credit('last');
    const isLast = ({ idempotency_key, user_id }: Record<string, unknown> = {}) =>
      idempotency_key === 'last' && user_id === user;
    const [last] = await receiver.until(1, ({ payload }) => isLast(payload?.data));
    const sequences = () =>
      new Set(receiver.calls.filter(aboutUser(user)).map((call) => call.payload.sequence));
    await expect.poll(() => sequences().size).toBe(last!.payload.sequence);
    expect(Math.max(...sequences())).toBe(last!.payload.sequence);
    await mine.delete(`/webhooks/${id}`);
  });

  test('every spin has an event, and so does its cash or prize', async () => {
    const mine = await newOrganization();
    const id = await register(mine);
    const user = await mine.user();
    const { body } = await mine.post(`/users/guest/${user}/game/play`, {
      num_of_spins: 40,
      idempotency_key: 'spins',
    });
    const items: { id: string; prize: Record<string, number> }[] = body.items;
    const calls = await receiver.until(40, ({ payload }) =>
      items.some((item) => item.id === payload?.data?.id),
    );
    const outcomes = new Map(calls.map(({ payload }) => [payload.data.id, payload]));
    for (const item of items) {
      const { type, data } = outcomes.get(item.id);
      expect(type).toBe('outcome');
      expect(data).toEqual({
        ...item,
        external_reference: expect.any(String),
        game: 'prizewheel',
        game_status: expect.stringMatching(/^(Cash|Ticket-only|Extra-prize)$/),
      });
    }
    const won = items.flatMap(({ id: outcome, prize }) =>
      'tickets' in prize ? [] : [{ outcome, type: 'cash_usd' in prize ? 'cash_won' : 'prize_won' }],
    );
    const wins = await receiver.until(
      won.length,
      ({ payload }) => outcomes.has(payload?.data?.outcome_id) && payload.type !== 'balance_updated',
    );
    expect(wins.map(({ payload }) => `${payload.type} ${payload.data.outcome_id}`).sort()).toEqual(
      won.map(({ outcome, type }) => `${type} ${outcome}`).sort(),
    );
    await mine.delete(`/webhooks/${id}`);
  });
});
