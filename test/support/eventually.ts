import { vi } from 'vitest';
import { waitMs } from './patience.ts';

/**
 * Repeats a check until it no longer throws, and returns its result. Gives up just before the test times out.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: waitMs, interval: 100 });
