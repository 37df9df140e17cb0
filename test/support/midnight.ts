/** Keeps tests of commands away from midnight in New York, when commands rightly refuse to cancel spins. */
import { beforeAll, vi } from 'vitest';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';

const minute = 60_000;

/** Before a file's tests, waits until midnight has passed if it is less than three minutes away. */
export function notBeforeMidnight(): void {
  const midnight = startOfDay(addDays(dayOf(Date.now()), 1));
  if (midnight - Date.now() > 3 * minute) return;
  beforeAll(() => vi.waitUntil(() => Date.now() > midnight, { timeout: 4 * minute }), 4 * minute);
}
