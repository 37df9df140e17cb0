import { vi } from 'vitest';
import { waitMs } from './patience.ts';

/** Resolves with what a check returns once it no longer throws; gives up a little before its test would be. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: waitMs, interval: 100 });
