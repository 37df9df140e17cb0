/**
 * Finds records that somebody has added to the table. Records have no seal, but the user's item has one, and the number
 * of the user's last record.
 */
import type { User } from '../accounts/user.ts';
import { log } from '../log.ts';
import { getAll } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
import { Tampered } from '../table/seals.ts';
import type { UserLeaf } from './leaves.ts';

/** The last of a day's records of each user, by user id. */
export type LastRecords = Map<string, Pick<UserLeaf, 'sequence' | 'hash'>>;

/** Maximum number of users that are read at once, to save memory. */
const usersAtOnce = 1000;

/** Logs each user whose sealed item lacks the user's last record, and raises the alarm for tampered items. */
export async function reportAddedRecords(organizationId: string, last: LastRecords): Promise<void> {
  const all = [...last];
  for (let from = 0; from < all.length; from += usersAtOnce) {
    const some = all.slice(from, from + usersAtOnce);
    const keys = some.map(([userId]) => userKey(organizationId, userId));
    const users = (await getAll(keys, { ifTampered: 'skip' })) as (User | undefined)[];
    for (const [index, [userId, { sequence, hash }]] of some.entries()) {
      const user = users[index];
      const isAdded =
        !user || user.sequence < sequence || (user.sequence === sequence && user.last_hash !== hash);
      if (!isAdded) continue;
      const error = new Tampered(`record ${sequence} of ${userId}`);
      log.failure('closing a book', error, { organization_id: organizationId });
    }
  }
}
