/** Writes outcomes directly to the table, with prizes that the test chooses. */
import { appendRecord } from '../../shared/accounts/records.ts';
import type { PrizeTable } from '../../shared/games/prize-tables.ts';
import { gameStatusOf } from '../../shared/games/prizes.ts';
import { newOutcome, userOf, type Written, writeRecords } from './records.ts';

/** Regular plays of the prize wheel. Their records state that the day's cash covered every prize. */
type Played = {
  organizationId: string;
  table: PrizeTable;
  /** The ids of the prizes that were won, one per play. */
  won: string[];
  /** Time of the first play in epoch milliseconds. Each further play is 1 ms later. */
  from: number;
};

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
    const { user: after, record } = appendRecord(user, played, from + index);
    user = after;
    return record as Written;
  });
  await writeRecords(records);
}
