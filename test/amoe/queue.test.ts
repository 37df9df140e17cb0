import { beforeAll, describe, expect, test } from 'vitest';

import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { untilAnswered } from '../support/repeat.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

const queue = (user: string, body: unknown) => api.post(`/users/${user}/game/queue`, body);
/** Queues free spins as of 2050: no other test runs spins that are due so late. */
const queueLater = (user_id: string, body: unknown) => {
  const { organizationId } = api;
  const now = Date.parse('2050-06-15T16:00:00Z');
  return untilAnswered(() => invoke('amoe/queue', { organizationId, path: { user_id }, body, now }));
};
const guestQueue = (user: string, body: unknown) => api.post(`/users/guest/${user}/game/queue`, body);

describe('queueing free spins', () => {
  test('returns total_queued_spins, the user’s spins still to run', async () => {
    const user = await api.user();
    const first = await queueLater(user, { num_of_spins: 3, idempotency_key: 'a' });
    expect(first.body).toEqual({ status: 'success', total_queued_spins: 3 });
    const second = await queueLater(user, { num_of_spins: 1000, idempotency_key: 'b' });
    expect(second.body.total_queued_spins).toBe(1003);
  });

  test('with a repeated key queues nothing more and returns the first response', async () => {
    const user = await api.user();
    await queue(user, { num_of_spins: 3, idempotency_key: 'a' });
    await queue(user, { num_of_spins: 4, idempotency_key: 'b' });
    const again = await queue(user, { num_of_spins: 3, idempotency_key: 'a' });
    expect(again.body).toEqual({ status: 'success', total_queued_spins: 3 });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('uses the default date of the first request for a later repetition', async () => {
    const [day, later] = ['2050-05-01', '2050-05-03'].map(startOfDay) as [number, number];
    for (const first of [undefined, day]) {
      const userId = await api.user();
      const ask = (now: number, result_effective_date?: number) => {
        const asked = { num_of_spins: 2, idempotency_key: 'a', result_effective_date };
        return queueSpins({ organizationId: api.organizationId, userId, asked, now });
      };
      expect(await ask(day + 3600_000, first)).toMatchObject({ replayed: false });
      for (const date of [undefined, day]) expect(await ask(later, date)).toMatchObject({ replayed: true });
      await expect(ask(later, later)).rejects.toThrow('already used with different parameters');
    }
  });

  test('uses the day of the order as the default, also if its record is after the midnight that follows the request', async () => {
    const [midnight, userId] = [startOfDay('2050-05-02'), await api.user()];
    const ask = (idempotency_key: string, now: number, result_effective_date?: number) => {
      const asked = { num_of_spins: 2, idempotency_key, result_effective_date };
      return queueSpins({ organizationId: api.organizationId, userId, asked, now });
    };
    await ask('by a clock ahead', midnight + 1);
    await ask('a', midnight - 1);
    for (const date of [undefined, midnight])
      expect(await ask('a', midnight + 5, date)).toMatchObject({ replayed: true });
    const dayBefore = startOfDay('2050-05-01');
    await expect(ask('a', midnight - 1, dayBefore)).rejects.toThrow('with different parameters');
  });

  test('treats two notations of one date as the same', async () => {
    const user = await api.user();
    const dates = ['2026-01-05', '2026-01-05T05:00:00Z', '2026-01-05T00:00:00-05:00'];
    const answers = [];
    for (const result_effective_date of dates) {
      answers.push(await queue(user, { num_of_spins: 2, idempotency_key: 'a', result_effective_date }));
    }
    expect(answers.map(({ status, body }) => [status, body.total_queued_spins])).toEqual(
      dates.map(() => [200, 2]),
    );
  });

  test('queues once for concurrent requests with one key, and each time for different keys', async () => {
    const user = await api.user();
    await Promise.all(times(20, () => queueLater(user, { num_of_spins: 5, idempotency_key: 'same' })));
    const totals = await Promise.all(
      times(10, (i) => queueLater(user, { num_of_spins: 1, idempotency_key: `key-${i}` })),
    );
    expect(totals.map(({ body }) => body.total_queued_spins).sort((a, b) => a - b)).toEqual(
      times(10, (i) => 6 + i),
    );
  });

  test('through the deprecated guest endpoint returns the same, with its date and a link to its successor', async () => {
    const user = await api.user();
    const { body, headers } = await guestQueue(user, { num_of_spins: 2, idempotency_key: 'a' });
    expect(body).toEqual({ status: 'success', total_queued_spins: 2 });
    expect(headers.get('deprecation')).toBe(`@${Date.parse('2026-01-01T00:00:00Z') / 1000}`);
    expect(headers.get('link')).toMatch(
      new RegExp(`^<http.*/users/guest/${user}/game/play>; rel="successor-version"$`),
    );
  });

  test.each([
    [
      { num_of_spins: 1, idempotency_key: 'a', result_effective_date: 'tomorrow' },
      'result_effective_date: Input should be a valid datetime',
    ],
    [
      { num_of_spins: 1, idempotency_key: 'a', result_effective_date: '2026-02-30' },
      'result_effective_date: Input should be a valid datetime',
    ],
    [
      { num_of_spins: 1, idempotency_key: 'a', result_effective_date: 20260105 },
      'result_effective_date: Input should be a valid string',
    ],
  ])('%j is refused and queues nothing', async (input, message) => {
    const user = await api.user();
    const { status, body } = await queue(user, input);
    expect([status, body.message, body.code]).toEqual([422, message, 'validation_failed']);
    expect((await queue(user, { num_of_spins: 1, idempotency_key: 'after' })).body.total_queued_spins).toBe(
      1,
    );
  });

  test('is refused for an unknown user and for a user of another organization', async () => {
    const other = await newOrganization();
    const theirs = await other.user();
    for (const user of ['usr_01M7W0RXHPQ38KW9RKB7MF3THX', 'nobody', theirs]) {
      for (const call of [queue, guestQueue]) {
        const { status, body } = await call(user, { num_of_spins: 1, idempotency_key: 'a' });
        expect([status, body.message]).toEqual([404, 'Invalid user ID']);
      }
    }
  });
});
