import type { Prize } from '../../games/prize-tables.ts';
import { canonicalJson, sha256 } from '../../ids.ts';
import { games } from '../../vocabulary.ts';
import type { Report } from './findings.ts';

/** Returns the version of a game's prize table: the game's name and the digest of the prizes. */
export const versionBy = (game: string, prizes: readonly Prize[]): string =>
  `${game}-${sha256(canonicalJson(prizes))}`;

/** Returns whether a version consists of the game and a digest, and therefore identifies exactly one list of prizes. */
export const isVersion = (game: string, version: string): boolean =>
  version.startsWith(`${game}-`) && /^[A-Za-z0-9_-]{43}$/.test(version.slice(game.length + 1));

/** Checks that the version of each prize table contains the digest of the table's prizes. */
export function checkTables(tables: Readonly<Record<string, readonly Prize[]>>, report: Report): void {
  for (const [version, prizes] of Object.entries(tables)) {
    if (!games.some((game) => versionBy(game, prizes) === version)) {
      report.finding('table_altered', `The prizes of table “${version}” do not match its version.`);
    }
  }
}
