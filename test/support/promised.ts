import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';

/** Returns the promise in an order of free spins: the due day and the prize table, without a beacon. */
export const promisedOn = (due_day: string, prize_table_version = defaultPrizeTables.prizewheel.version) => ({
  run: 'queued' as const,
  due_day,
  prize_table_version,
});
