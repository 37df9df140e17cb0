/** Stores an item for each user who is not erased and has entries of a type, so that a drawing finds its entrants. */
import type { TableWrite } from '../table/client.ts';
import { holderKey } from '../table/drawing-keys.ts';
import { type EntryType, entryTypes } from '../vocabulary.ts';
import type { User } from './user.ts';

const isHolder = ({ balances, erased_at }: User, type: EntryType): boolean =>
  balances[type] > 0 && erased_at === undefined;

/** Returns no writes unless a balance leaves or reaches 0, or the user is erased. */
export function holderWrites(before: User, after: User): Record<string, TableWrite> {
  const changed = entryTypes.filter((type) => isHolder(before, type) !== isHolder(after, type));
  return Object.fromEntries(
    changed.map((type): [string, TableWrite] => {
      const key = holderKey(after.organization_id, type, after.user_id);
      return [`holder_${type}`, isHolder(after, type) ? { Put: { Item: key } } : { Delete: { Key: key } }];
    }),
  );
}
