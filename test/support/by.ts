import type { By } from '../../shared/operations/operation-records.ts';

/** An operator of a test, now. */
export const byTest = (): By => ({ operator: 'test', now: Date.now() });
