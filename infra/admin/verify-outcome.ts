/** What an operator can prove of an outcome. The SDK is loaded once the stage is chosen. */
import { Problem } from '../local/problem.ts';

/**
 * Draws a recorded outcome again from its seeds and its prize table: answers what is recorded, the prize that was
 * drawn again, and each fault of the record. Throws a Problem where there is no such outcome.
 */
export async function verifyRecordedOutcome(organizationId: string, id: string) {
  const { findOutcome } = await import('../../shared/games/find-outcome.ts');
  const { readPrizeTable } = await import('../../shared/games/organization-tables.ts');
  const { withoutKeys } = await import('../../shared/table/keys.ts');
  const { verifyOutcome } = await import('../../shared/games/outcomes.ts');
  const recorded = await findOutcome(organizationId, id);
  if (!recorded) throw new Problem(`Organization ${organizationId} has no outcome ${id}.`);
  const table = await readPrizeTable(organizationId, recorded.game, recorded.prize_table_version);
  const { prizeId, faults } = verifyOutcome(recorded, table);
  return { outcome: withoutKeys(recorded), drawn_again: prizeId, verified: faults.length === 0, faults };
}
