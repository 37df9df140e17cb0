import { beforeAll, describe, expect, test } from 'vitest';
import { findDrawFaults } from '../../infra/operate/admin/explain/verify-outcome.ts';
import { readUser } from '../../shared/accounts/user.ts';
import type { Item } from '../../shared/table/client.ts';
import { startOfToday } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { expectOneUse } from '../support/expectations.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';
import { expectSound } from './support.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const play = (user: string, body: unknown) => api.post(`/users/guest/${user}/game/play`, body);

/** Estimates an item's size in bytes by DynamoDB's rules for write units: names, values, and half a byte per digit. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const fields = Object.entries(value).map(([name, field]) => Buffer.byteLength(name) + bytesOf(field) + 1);
  return fields.reduce((sum, bytes) => sum + bytes, 3);
}

describe('guest spins', () => {
  test.each([1, 30, 31, 100])(
    '%i spins run at once and their outcomes are returned in order',
    async (spins) => {
      const user = await api.user();
      const today = [startOfToday(Date.now())];
      const { status, body } = await play(user, { num_of_spins: spins, idempotency_key: 'a' });
      today.push(startOfToday(Date.now()));
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['status', 'items']);
      expect(body.items).toHaveLength(spins);
      const outcomes = await expectSound(api.organizationId, user);
      expect(body.items.map(({ id }: Item) => id)).toEqual(outcomes.map(({ id }) => id));
      const [first] = body.items;
      expect(first).toMatchObject({ user_id: user, game: 'prizewheel', play_type: 'amoe' });
      expect(today).toContain(first.result_effective_date);
      expect((await readUser(api.organizationId, user)).queued_spins).toBe(0);
    },
  );

  // A batch must fit into one DynamoDB transaction. A win of tickets also writes the record of a credit, and a
  // win from stock also the stock's 16 copies.
  test.each([{}, { stock: 200 }])('each of 100 spins can win tickets with %j', async (stock) => {
    const { organizationId, ...mine } = await newOrganization();
    const prizes = [{ ...prizeOf('tickets', 2, 1_000_000), ...stock }, prizeOf('tickets', 1, 1)];
    await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
    const user = await mine.user();
    const request = { num_of_spins: 100, idempotency_key: 'a' };
    const { status, body } = await mine.post(`/users/guest/${user}/game/play`, request);
    expect([status, body.items?.length]).toEqual([200, 100]);
  });

  test('an outcome costs one write unit even with a long reference and the longest idempotency key', async () => {
    const longest = '€'.repeat(255);
    const { body } = await api.post('/users', { external_reference: 'r'.repeat(100) });
    await play(body.user_id, { num_of_spins: 50, idempotency_key: longest });
    const outcomes = await expectSound(api.organizationId, body.user_id);
    expect(Math.max(...outcomes.map(bytesOf))).toBeLessThanOrEqual(1024);
    expect(JSON.stringify(outcomes)).not.toContain('€');
  });

  test('a repeated key returns the same outcomes and runs no more spins', async () => {
    const user = await api.user();
    const request = { num_of_spins: 31, idempotency_key: 'a', result_effective_date: '2026-02-03' };
    const answers = await Promise.all(times(8, () => play(user, request)));
    expectOneUse(answers);
    expect(await expectSound(api.organizationId, user)).toHaveLength(31);
    const { status, body } = await play(user, { ...request, num_of_spins: 32 });
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('each draw can be checked from its record', async () => {
    const user = await api.user();
    await play(user, { num_of_spins: 35, idempotency_key: 'a' });
    const outcomes = await expectSound(api.organizationId, user);
    expect(outcomes.map(({ spin_index }) => spin_index)).toEqual(times(35, (index) => index));
    for (const outcome of outcomes) {
      expect(await findDrawFaults(outcome)).toEqual([]);
      expect(outcome).toMatchObject({ game: 'prizewheel', cost: 0, play_type: 'amoe' });
    }
  });

  test.each([
    [
      { num_of_spins: 1, idempotency_key: 'a', result_effective_date: '03/02/2026' },
      'result_effective_date: Input should be a valid datetime',
    ],
    [
      { num_of_spins: 1, idempotency_key: 'a', result_effective_date: '9999-12-31T23:59:59-05:00' },
      'result_effective_date: Input should be a valid datetime',
    ],
  ])('%j is refused, and no spin runs', async (input, message) => {
    const user = await api.user();
    const { status, body } = await play(user, input);
    expect([status, body.message]).toEqual([422, message]);
    expect(await expectSound(api.organizationId, user)).toHaveLength(0);
  });

  test('an unknown guest is refused', async () => {
    const { status, body } = await play('usr_01M7W0RXHPQ38KW9RKB7MF3THX', {
      num_of_spins: 1,
      idempotency_key: 'a',
    });
    expect([status, body.message]).toEqual([404, 'Invalid user ID']);
  });
});
