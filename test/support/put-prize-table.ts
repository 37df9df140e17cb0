import type { ActionContext } from '../../shared/actions/action-records.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { type Prize, versionOfPrizes } from '../../shared/games/prize-tables.ts';
import type { Game } from '../../shared/vocabulary.ts';

/** Makes a prize table the game's current table for new play URLs and new orders. Returns the version. */
export async function putPrizeTable(
  organizationId: string,
  game: Game,
  prizes: Prize[],
  context: ActionContext,
): Promise<string> {
  const version = versionOfPrizes(game, prizes);
  const changes = { [`prize_table_${game}`]: version };
  await changeSettings(organizationId, changes, context, { game, version, prizes });
  return version;
}
