import type { ActionContext } from '../../shared/actions/action-records.ts';

export const testContext = (): ActionContext => ({ operator: 'test', now: Date.now() });
