import { log } from '../log.ts';
import { concurrently } from '../promises.ts';
import { shuffled } from '../shuffled.ts';
import { readOrganizationIds } from './organizations.ts';

type Visit = {
  worker: string;
  /** The number of organizations visited concurrently, so that a large one does not delay all others. */
  concurrency: number;
  hasTime: () => boolean;
};

/**
 * Calls `visit` for each organization while there is time, and logs errors. `left` counts the organizations
 * not visited.
 */
export async function visitOrganizations(
  { worker, concurrency, hasTime }: Visit,
  visit: (organizationId: string, all: number) => Promise<void>,
): Promise<{ all: number; failed: number; left: number }> {
  const organizations = await readOrganizationIds();
  // Shuffles the organizations, so that a lack of time does not always leave out the same organizations.
  let [failed, left] = [0, 0];
  await concurrently(concurrency, shuffled(organizations), async (id) => {
    if (!hasTime()) {
      left++;
      return;
    }
    try {
      await visit(id, organizations.length);
    } catch (error) {
      log.failure(worker, error, { organization_id: id });
      failed++;
    }
  });
  return { all: organizations.length, failed, left };
}
