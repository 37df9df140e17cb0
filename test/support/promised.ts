import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';

/** Returns what a queued order of free spins promises: due day and prize table, but no beacon. */
export const promisedOn = (due_day: string, prize_table_version = defaultPrizeTables.prizewheel.version) => ({
  run: 'queued' as const,
  due_day,
  prize_table_version,
});
