import { vi } from 'vitest';

/** Resolves with what a check returns once it no longer throws; gives up a little before its test would be. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 280_000, interval: 100 });
