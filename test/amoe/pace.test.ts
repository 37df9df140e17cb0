import { expect, onTestFinished, test, vi } from 'vitest';
import { readUser } from '../../shared/accounts/user.ts';
import { readOpenOrders } from '../../shared/amoe/open-orders.ts';
import { runOrderSpins } from '../../shared/amoe/spin-batches.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { createPacer } from '../../shared/amoe/spin-run.ts';
import { startOfDay } from '../../shared/time.ts';
import { newOrganization } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { makeUser } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';

test('users of a shard share its spins per second, and unused time does not add up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const pace = createPacer(10);
  /** Calls `pace` concurrently, once for each number of spins. Returns the milliseconds that each call waited. */
  const waits = async (...spins: number[]) => {
    const start = performance.now();
    const all = Promise.all(spins.map((one) => pace(one).then(() => performance.now() - start)));
    await vi.advanceTimersByTimeAsync(2000);
    return all;
  };
  expect(await waits(5, 10, 1)).toEqual([500, 1500, 1600]);
  vi.advanceTimersByTime(60_000);
  expect(await waits(2, 1)).toEqual([200, 300]);
});

test.each([
  ['of prizes without stock', {}, 30],
  ['of prizes with stock', { stock: 200 }, 25],
])('an order %s waits for the pace after each batch of spins', async (_, stock, batch) => {
  const { organizationId } = await newOrganization();
  await putPrizeTable(
    organizationId,
    'prizewheel',
    [{ ...prizeOf('tickets', 2, 1), ...stock }, prizeOf('tickets', 1, 1)],
    testContext(),
  );
  const userId = await makeUser(organizationId);
  const asked = { num_of_spins: batch + 1, idempotency_key: 'a' };
  await queueSpins({ organizationId, userId, asked, now: startOfDay('2040-05-01') });
  const [open] = await readOpenOrders(await readUser(organizationId, userId));
  const pace = vi.fn(async () => Promise.reject(new Error('too fast')));
  const clock = { now: () => startOfDay('2040-05-02'), timeIsUp: () => false, pace };
  await expect(runOrderSpins(open!.order, clock)).rejects.toThrow('too fast');
  expect(pace.mock.calls).toEqual([[batch]]);
  expect((await readUser(organizationId, userId)).queued_spins).toBe(1);
});
