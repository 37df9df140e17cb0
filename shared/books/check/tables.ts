/** Checks prize tables: the version of each must be the digest of its prizes. */
import type { Prize } from '../../games/prize-tables.ts';
import { canonicalJson, sha256 } from '../../ids.ts';
import { games } from '../../vocabulary.ts';
import type { Report } from './findings.ts';

/** Returns the version of a game's table, which contains the digest of its prizes. */
export const versionBy = (game: string, prizes: readonly Prize[]): string =>
  `${game}-${sha256(canonicalJson(prizes))}`;

/** Whether a version consists of a game and a digest, so that it fixes the table's prizes. */
export const isVersion = (version: string): boolean => versionForm.test(version);
const versionForm = new RegExp(`^(${games.join('|')})-[A-Za-z0-9_-]{43}$`);

/** Checks that the version of each table is the digest of its prizes. */
export function checkTables(tables: Readonly<Record<string, readonly Prize[]>>, report: Report): void {
  for (const [version, prizes] of Object.entries(tables)) {
    if (!games.some((game) => versionBy(game, prizes) === version)) {
      report.finding('table_altered', `The prizes of table “${version}” do not match its version.`);
    }
  }
}
