/** The check of prize tables: whether their versions vouch for their content. */
import type { Prize } from '../../games/prize-tables.ts';
import { canonicalJson, sha256 } from '../../ids.ts';
import { games } from '../../vocabulary.ts';
import type { Report } from './findings.ts';

/** The version that a game's table has by its content. */
export const versionBy = (game: string, prizes: readonly Prize[]): string =>
  `${game}-${sha256(canonicalJson(prizes))}`;

/** Whether a version has the form of a game and a digest, so that nobody can put other prizes under it. */
export const isVersion = (version: string): boolean => versionForm.test(version);
const versionForm = new RegExp(`^(${games.join('|')})-[A-Za-z0-9_-]{43}$`);

/** Checks that the version of each table is the digest of its prizes. */
export function checkTables(tables: Readonly<Record<string, readonly Prize[]>>, report: Report): void {
  for (const [version, prizes] of Object.entries(tables)) {
    if (!games.some((game) => versionBy(game, prizes) === version)) {
      report.finding('table_altered', `“${version}” has other prizes than it stands for.`);
    }
  }
}
