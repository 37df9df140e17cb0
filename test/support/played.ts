/** Outcomes of an organization that came to chosen prizes, put into the table without the service. */
import { append } from '../../shared/accounts/records.ts';
import type { PrizeTable } from '../../shared/games/prize-tables.ts';
import { gameStatusOf } from '../../shared/games/prizes.ts';
import { newOutcome, userOf, type Written, writeRecords } from './records.ts';

/** What was played: regular plays of the wheel, while there was cash for every prize. */
type Played = {
  organizationId: string;
  table: PrizeTable;
  /** The id of the prize of each play, in their order. */
  won: string[];
  /** The time of the first one (epoch milliseconds); the others follow by the millisecond. */
  from: number;
};

/** Writes the outcomes of some plays. */
export async function writePlays({ organizationId, table, won, from }: Played): Promise<void> {
  let user = userOf(organizationId, 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ');
  const records = won.map((id, index) => {
    const { kind, amount } = table.prizes.find((prize) => prize.id === id)!;
    const played = {
      ...newOutcome('2026-01-01T05:00:00.000Z'),
      prize: { [kind]: amount },
      prize_id: id,
      game_status: gameStatusOf[kind],
      prize_table_version: table.version,
    };
    const { user: after, record } = append(user, played, from + index);
    user = after;
    return record as Written;
  });
  await writeRecords(records);
}
