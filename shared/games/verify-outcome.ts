/** The check of a draw: it depends on nothing but the record and the table, so that anybody can make it. */
import type { OutcomeRecord } from '../accounts/records.ts';
import { canonicalJson } from '../ids.ts';
import { commitmentTo, draw } from './draw.ts';
import type { PrizeTable } from './prize-tables.ts';
import { gameStatusOf } from './prizes.ts';
import { rulesOf } from './rules.ts';

/** What of an outcome's record its draw depends on, and follows from. */
export type DrawnOutcome = Pick<
  OutcomeRecord,
  | 'prize'
  | 'prize_id'
  | 'game_status'
  | 'prize_table_version'
  | 'draw_version'
  | 'commitment'
  | 'client_seed'
  | 'spin_index'
  | 'cash_left_usd'
  | 'tickets_only'
  | 'debug'
>;

/**
 * Draws a recorded outcome again, with its server seed in hex: returns the prize it should have, and what of the record
 * does not hold.
 */
export function verifyOutcome(
  record: DrawnOutcome,
  table: PrizeTable,
  serverSeed: string,
): { prizeId: string; faults: string[] } {
  const rules = rulesOf(record.debug);
  const limits = rules.limits(table.prizes, record.cash_left_usd);
  const seeds = { serverSeed, clientSeed: record.client_seed, spinIndex: record.spin_index };
  const prize = draw(rules.inPlay(table.prizes), limits, seeds, record.draw_version ?? 1);
  const { commitment = commitmentTo(serverSeed) } = record;
  const holds: Record<string, boolean> = {
    'the table is not the one the outcome was drawn from': table.version === record.prize_table_version,
    'the server seed is not the one that was committed to': commitmentTo(serverSeed) === commitment,
    'the limits of the draw do not follow from the table and the cash that was left':
      record.tickets_only === limits.ticketsOnly,
    'the seeds give another prize': prize.id === record.prize_id,
    'the prize is not what the table says':
      canonicalJson(record.prize) === canonicalJson({ [prize.kind]: prize.amount }),
    'the game status is not that of the prize': record.game_status === gameStatusOf[prize.kind],
  };
  return { prizeId: prize.id, faults: Object.keys(holds).filter((fault) => !holds[fault]) };
}
