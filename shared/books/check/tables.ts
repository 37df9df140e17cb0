/** The check of prize tables: whether their versions vouch for their content. */
import { defaultPrizeTables, formerPrizeTables, type Prize } from '../../games/prize-tables.ts';
import { canonicalJson, sha256 } from '../../ids.ts';
import { games } from '../../vocabulary.ts';
import type { Report } from './findings.ts';

const addressed = new RegExp(`^(${games.join('|')})-[A-Za-z0-9_-]{43}$`);
const shortened = new RegExp(`^(${games.join('|')})-[A-Za-z0-9_-]{12}$`);

/** The version that a game's table has by its content. */
export const versionBy = (game: string, prizes: readonly Prize[]): string =>
  `${game}-${sha256(canonicalJson(prizes))}`;

/** The project's own tables by their version: what is in them, and the version that they have by that. */
const ownTables = new Map(
  games.flatMap((game) =>
    [defaultPrizeTables[game], ...formerPrizeTables[game]].map(({ version, prizes }) => [
      version,
      { content: canonicalJson(prizes), address: versionBy(game, prizes) },
    ]),
  ),
);

/** Whether a version says what is in its table, to whoever has this check: by a digest, or as one of the project's own. */
export const vouches = (version: string): boolean => addressed.test(version) || ownTables.has(version);

/** The version that a table has by its content, of one of the project's own; of others the version as it is. */
export const addressOf = (version: string): string => ownTables.get(version)?.address ?? version;

/** Whether a table's version is the digest of its prizes, or begins like it; undefined if it is a name of another kind. */
function isByContent(version: string, prizes: readonly Prize[]): boolean | undefined {
  const game = (addressed.exec(version) ?? shortened.exec(version))?.[1];
  return game === undefined ? undefined : versionBy(game, prizes).startsWith(version);
}

/** The tables that were met in earlier books, as JSON by version. */
export type KnownTables = Map<string, string>;

/** Checks that tables are those that their versions stand for, as far as these tell, and that none changes. */
export function checkTables(
  tables: Readonly<Record<string, readonly Prize[]>>,
  known: KnownTables,
  report: Report,
): void {
  for (const [version, prizes] of Object.entries(tables)) {
    const content = canonicalJson(prizes);
    const isSame =
      isByContent(version, prizes) ??
      content === (ownTables.get(version)?.content ?? known.get(version) ?? content);
    if (!isSame) report.finding('table_altered', `“${version}” has other prizes than it stands for.`);
    if (!vouches(version)) report.notice('short_named_tables', `It is “${version}”.`);
    known.set(version, content);
  }
}
