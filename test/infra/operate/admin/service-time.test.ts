import { expect, test, vi } from 'vitest';
import { readServiceTime } from '../../../../infra/operate/admin/service-time.ts';

test("changes use the table's clock, not the machine's", async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 3_600_000 });
  try {
    const time = await readServiceTime();
    expect(Math.abs(time - now)).toBeLessThan(60_000);
  } finally {
    vi.useRealTimers();
  }
});
