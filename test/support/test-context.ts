import type { ActionContext } from '../../shared/operations/operation-records.ts';

/** Returns the operator and the time of a change that a test makes now. */
export const testContext = (): ActionContext => ({ operator: 'test', now: Date.now() });
