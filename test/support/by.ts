import type { By } from '../../shared/operations/operation-records.ts';

/** Returns the operator and the time of a change that a test makes now. */
export const byTest = (): By => ({ operator: 'test', now: Date.now() });
