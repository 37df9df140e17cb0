import { vi } from 'vitest';
import { waitMs } from './patience.ts';

/** Repeats a check every 0.1 s until it succeeds. After `waitMs`, throws the check's last error instead. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: waitMs, interval: 100 });
