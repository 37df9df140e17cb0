import type { By } from '../../shared/games/operations.ts';

/** An operator of a test, now. */
export const byTest = (): By => ({ operator: 'test', now: Date.now() });
