import type { ActionContext } from '../../shared/operations/operation-records.ts';

export const testContext = (): ActionContext => ({ operator: 'test', now: Date.now() });
