import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';

/** What an order of free spins promises that are due on a day, without a beacon. */
export const promisedOn = (due_day: string, prize_table_version = defaultPrizeTables.prizewheel.version) => ({
  run: 'queued' as const,
  due_day,
  prize_table_version,
});
