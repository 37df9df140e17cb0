import type { User } from '../accounts/user.ts';
import { RETRY, retry, Stale, staleAfterMs } from '../retry.ts';
import { getItem, type Item, type TableWrite, transact } from '../table/client.ts';
import { requireFormat } from '../table/format.ts';
import { organizationKey } from '../table/keys.ts';
import {
  type ActionContext,
  type ActionRecord,
  actionWrites,
  liveContext,
  newAction,
} from './action-records.ts';

export type OperatorAction = Pick<
  ActionRecord,
  'action' | 'about' | 'before' | 'after' | 'table' | 'external_reference'
> & {
  /** The user whom the action changes, if any. */
  user?: User;
  fields?: Item;
  /** Further writes of the transaction. If a condition fails, `recordAction` calls `decide` again. */
  writes?: Record<string, TableWrite>;
};

type Decided = OperatorAction | undefined | typeof RETRY;

/**
 * Carries out and records the action that `decide` returns, if any. Repeats `decide` if another action was
 * recorded meanwhile. Each attempt has the current time, which `decide` receives and the action's record contains.
 */
export function recordAction(
  organizationId: string,
  decide: (organization: Item, current: ActionContext) => Decided | Promise<Decided>,
  context: ActionContext,
): Promise<void> {
  const contextNow = liveContext(context);
  return retry(async () => {
    const current = contextNow();
    const organization = await getItem(organizationKey(organizationId));
    if (!organization) throw new Error(`no organization ${organizationId}`);
    requireFormat(organization);
    const operatorAction = await decide(organization, current);
    if (!operatorAction || operatorAction === RETRY) return operatorAction;
    const { fields, writes, user, ...toRecord } = operatorAction;
    const made = newAction(organizationId, organization, toRecord, current, user);
    // A record with an older time could belong to a day whose book is closed.
    if (contextNow().now - current.now > staleAfterMs) throw new Stale();
    const failed = await transact<string>({
      ...actionWrites(organizationId, organization, made, fields),
      ...writes,
    });
    return failed ? RETRY : undefined;
  });
}
