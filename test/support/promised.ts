import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';

/** Returns the fields that determine an order's draws: due day and prize table, without a beacon. */
export const promisedOn = (due_day: string, prize_table_version = defaultPrizeTables.prizewheel.version) => ({
  run: 'queued' as const,
  due_day,
  prize_table_version,
});
