/** What an operator can prove of an outcome. */
import { serverSeedOf } from '../../shared/games/day-secrets.ts';
import { findOutcome } from '../../shared/games/find-outcome.ts';
import { readPrizeTable } from '../../shared/games/organization-tables.ts';
import { verifyOutcome } from '../../shared/games/verify-outcome.ts';
import { withoutKeys } from '../../shared/table/keys.ts';
import { Problem } from '../local/problem.ts';

/**
 * Draws a recorded outcome again from its seeds and its prize table: returns what is recorded, the prize that was
 * drawn again, and each fault of the record. Throws a Problem if there is no such outcome.
 */
export async function verifyRecordedOutcome(organizationId: string, id: string) {
  const recorded = await findOutcome(organizationId, id);
  if (!recorded) throw new Problem(`Organization ${organizationId} has no outcome ${id}.`);
  const table = await readPrizeTable(organizationId, recorded.game, recorded.prize_table_version);
  const { prizeId, faults } = verifyOutcome(recorded, table, await serverSeedOf(recorded));
  return { outcome: withoutKeys(recorded), drawn_again: prizeId, verified: faults.length === 0, faults };
}
