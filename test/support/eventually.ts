import { vi } from 'vitest';
import { waitMs } from './patience.ts';

/** Repeats a check every 0.1 s until success. Throws the check's last error before the test's timeout. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: waitMs, interval: 100 });
