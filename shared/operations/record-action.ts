/** How an operator's deed is carried out: with a record of who did what, all or nothing. */
import type { User } from '../accounts/user.ts';
import { RETRY, retry } from '../retry.ts';
import { get, type Item, type Part, transact } from '../table/client.ts';
import { requireFormat } from '../table/format.ts';
import { organizationKey } from '../table/keys.ts';
import { type By, type OperationRecord, operationOf, operationParts } from './operation-records.ts';

/** Something that an operator does to an organization: what is said of it, and what is written beside the record. */
export type Deed = Pick<OperationRecord, 'action' | 'about' | 'before' | 'after' | 'table'> & {
  /** The user that it is about, if it is: what is said of why stands in the chain as a digest under the user's key. */
  user?: User;
  /** Further fields of the organization's item. */
  fields?: Item;
  /** Further parts of the transaction. If one fails, all is decided anew. */
  parts?: Record<string, Part>;
};

type Decided = Deed | undefined | typeof RETRY;

/**
 * Carries out what is decided of an organization's item as it is now, and records who did it; nothing if
 * there is nothing to do, and once more if it cannot be decided yet. Two round trips. Throws if there is no
 * such organization, and OtherFormat.
 */
export function operate(
  organizationId: string,
  decide: (organization: Item) => Decided | Promise<Decided>,
  by: By,
): Promise<void> {
  return retry(async () => {
    const organization = await get(organizationKey(organizationId));
    if (!organization) throw new Error(`no organization ${organizationId}`);
    requireFormat(organization);
    const deed = await decide(organization);
    if (!deed || deed === RETRY) return deed;
    const { fields, parts, user, ...said } = deed;
    const made = operationOf(organizationId, organization, said, by, user);
    const failed = await transact<string>({
      ...operationParts(organizationId, organization, made, fields),
      ...parts,
    });
    return failed ? RETRY : undefined;
  });
}
