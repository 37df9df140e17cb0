import { vi } from 'vitest';
import { waitMs } from './patience.ts';

/**
 * Repeats a check every 0.1 s until the check does not throw, and returns its result. Throws the check's last
 * error just before the test would time out.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: waitMs, interval: 100 });
