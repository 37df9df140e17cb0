/** What an operator can prove of an outcome. The SDK is loaded once the stage is chosen. */
import { Problem } from '../local/problem.ts';

/**
 * Draws a recorded outcome again from its seeds and its prize table. Answers what was drawn from what; throws a
 * Problem that names each fault where the record does not hold, or where there is none.
 */
export async function verifyRecordedOutcome(organizationId: string, id: string): Promise<string> {
  const { findOutcome } = await import('../../shared/find-outcome.ts');
  const { readPrizeTable } = await import('../../shared/organization-tables.ts');
  const { verifyOutcome } = await import('../../shared/outcomes.ts');
  const outcome = await findOutcome(organizationId, id);
  if (!outcome) throw new Problem(`organization ${organizationId} has no outcome ${id}`);
  const table = await readPrizeTable(organizationId, outcome.game, outcome.prize_table_version);
  const { prizeId, faults } = verifyOutcome(outcome, table);
  const lines = [
    `outcome       ${outcome.id} of ${outcome.user_id}, ${outcome.timestamp}`,
    `game          ${outcome.game}, ${outcome.play_type}${outcome.debug ? `, debug ${outcome.debug}` : ''}`,
    `prize table   ${outcome.prize_table_version}`,
    `commitment    ${outcome.commitment}`,
    `server seed   ${outcome.server_seed}`,
    `client seed   ${JSON.stringify(outcome.client_seed)}, spin ${outcome.spin_index}`,
    `cash left     ${outcome.cash_left_usd ?? 'not limited'}${outcome.tickets_only ? ', tickets only' : ''}`,
    `recorded      ${outcome.prize_id} ${JSON.stringify(outcome.prize)}`,
    `drawn again   ${prizeId}`,
  ];
  if (faults.length > 0)
    throw new Problem([...lines, ...faults.map((fault) => `FAULT: ${fault}`)].join('\n'));
  return [...lines, 'The recorded prize is the one that the seeds and the prize table give.'].join('\n');
}
