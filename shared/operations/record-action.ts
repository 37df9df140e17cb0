/** Carries out operators' actions. The change and the action's record are written in one transaction. */
import type { User } from '../accounts/user.ts';
import { RETRY, retry } from '../retry.ts';
import { get, type Item, type Part, transact } from '../table/client.ts';
import { requireFormat } from '../table/format.ts';
import { organizationKey } from '../table/keys.ts';
import { type By, type OperationRecord, operationOf, operationParts } from './operation-records.ts';

/** An operator's action on an organization: the fields to record, and further writes. */
export type OperatorAction = Pick<OperationRecord, 'action' | 'about' | 'before' | 'after' | 'table'> & {
  /**
   * The user that the action is about, if any. The hash of the record then covers a digest of the reason
   * under this user's key.
   */
  user?: User;
  /** Further fields of the organization's item. */
  fields?: Item;
  /** Further parts of the transaction. If one fails, the action is decided again. */
  parts?: Record<string, Part>;
};

type Decided = OperatorAction | undefined | typeof RETRY;

/**
 * Carries out and records the action that `decide` returns. Does nothing for undefined, and decides again for
 * RETRY or if another action was recorded in the meantime. Two round trips. Throws if the organization does
 * not exist, and OtherFormat.
 */
export function recordAction(
  organizationId: string,
  decide: (organization: Item) => Decided | Promise<Decided>,
  by: By,
): Promise<void> {
  return retry(async () => {
    const organization = await get(organizationKey(organizationId));
    if (!organization) throw new Error(`no organization ${organizationId}`);
    requireFormat(organization);
    const operatorAction = await decide(organization);
    if (!operatorAction || operatorAction === RETRY) return operatorAction;
    const { fields, parts, user, ...toRecord } = operatorAction;
    const made = operationOf(organizationId, organization, toRecord, by, user);
    const failed = await transact<string>({
      ...operationParts(organizationId, organization, made, fields),
      ...parts,
    });
    return failed ? RETRY : undefined;
  });
}
