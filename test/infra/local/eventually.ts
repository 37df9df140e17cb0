import { vi } from 'vitest';

/** Repeats a check until it holds, for up to ten seconds. */
export const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 90_000, interval: 10 });
