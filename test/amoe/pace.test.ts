import { expect, onTestFinished, test, vi } from 'vitest';
import { paceOf } from '../../shared/amoe/spin-run.ts';

test('users of a shard share its spins per second, and unused time does not add up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const pace = paceOf(10);
  /** Waits for each number of spins concurrently. Returns how many milliseconds each of them had to wait. */
  const waits = async (...spins: number[]) => {
    const start = performance.now();
    const all = Promise.all(spins.map((one) => pace(one).then(() => performance.now() - start)));
    await vi.runAllTimersAsync();
    return all;
  };
  expect(await waits(5, 10, 1)).toEqual([500, 1500, 1600]);
  vi.advanceTimersByTime(60_000);
  expect(await waits(2, 1)).toEqual([200, 300]);
});
