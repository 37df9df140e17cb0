import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';

/**
 * Returns the fields of a spin order that promise how its free spins are drawn: on the due day, with the
 * prize table, without a beacon.
 */
export const promisedOn = (due_day: string, prize_table_version = defaultPrizeTables.prizewheel.version) => ({
  run: 'queued' as const,
  due_day,
  prize_table_version,
});
