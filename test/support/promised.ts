import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';

/**
 * Returns the fields of a spin order that determine how its free spins are drawn: due day and prize table.
 * The order uses no randomness beacon.
 */
export const promisedOn = (due_day: string, prize_table_version = defaultPrizeTables.prizewheel.version) => ({
  run: 'queued' as const,
  due_day,
  prize_table_version,
});
