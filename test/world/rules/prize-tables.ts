/** Finds the prizes in a version of a prize table. */
import { defaultPrizeTables, type Prize } from '../../../shared/games/prize-tables.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import type { StoredItem } from '../journal.ts';
import type { Step } from './step.ts';

/** Returns the prizes of a version of a game's prize table. The version is a default or a stored one. */
export type PrizeTables = (
  organizationId: string,
  game: Game,
  version: string,
) => readonly Prize[] | undefined;

/** Creates a lookup of prize tables. `own` maps `<partition key> <sort key>` to the stored tables of organizations. */
export function prizeTables(own: ReadonlyMap<string, StoredItem>): PrizeTables {
  return (organizationId, game, version) => {
    const { version: ofDefault, prizes } = defaultPrizeTables[game];
    if (version === ofDefault) return prizes;
    return own.get(`ORG#${organizationId} GAME#${game}#${version}`)?.prizes;
  };
}

/** Collects all prize tables that are written. `tables` finds a table by organization, game and version. */
export function trackPrizeTables(): { tables: PrizeTables; applyStep: (step: Step) => void } {
  const own = new Map<string, StoredItem>();
  return {
    tables: prizeTables(own),
    applyStep(step) {
      for (const { after } of step.of('prize table')) if (after) own.set(`${after.pk} ${after.sk}`, after);
    },
  };
}
