import { expect, test, vi } from 'vitest';
import { serviceTime } from '../../../../infra/operate/admin/service-time.ts';

test('the time of a change is the table’s, whatever the clock of the machine says', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 3_600_000 });
  try {
    const time = await serviceTime();
    expect(Math.abs(time - now)).toBeLessThan(60_000);
  } finally {
    vi.useRealTimers();
  }
});
