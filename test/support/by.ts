import type { By } from '../../shared/operations/operation-records.ts';

/** Returns a test's operator at the current time. */
export const byTest = (): By => ({ operator: 'test', now: Date.now() });
