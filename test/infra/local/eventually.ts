import { vi } from 'vitest';

/** Repeats a check until it holds, for up to ten seconds. */
export const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
