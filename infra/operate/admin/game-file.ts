import { readFile } from 'node:fs/promises';
import { type PrizeTable, versionOfPrizes } from '../../../shared/games/prize-tables.ts';
import type { Settings } from '../../../shared/games/settings.ts';
import { type Game, games } from '../../../shared/vocabulary.ts';
import { BadUsage } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { parsePrizeTable } from './prize-table-schema.ts';
import { parseSettingsChanges } from './settings-schema.ts';

export type GameOptions = {
  file?: string | undefined;
  cost?: string | undefined;
  costly?: boolean | undefined;
  from?: string | undefined;
};

/** A parsed change to a game: the settings to change, and the new prize table, if there is one. */
export type GameChange = {
  game: Game;
  changes: Partial<Settings>;
  table?: (PrizeTable & { game: Game }) | undefined;
  /** The version from which the file was edited. Undefined if the file has no version or changes no prize. */
  editedFrom?: string | undefined;
  costly: boolean;
};

/** Throws a Problem or a Refusal for the first error. */
export async function readGameChange(
  named: string,
  { file, cost, costly = false }: GameOptions,
): Promise<GameChange> {
  const game = parseGame(named);
  if (file === undefined && cost === undefined) throw new BadUsage('Give --file, --cost, or both.');
  const changes = parseSettingsChanges({ [`cost_${game}`]: cost });
  if (file === undefined) return { game, changes, costly };
  const { prizes, version: shown } = parsePrizeTable(await readJson(file), game);
  const version = versionOfPrizes(game, prizes);
  return {
    game,
    changes: { ...changes, [`prize_table_${game}`]: version },
    table: { game, version, prizes },
    costly,
    editedFrom: shown === version ? undefined : shown,
  };
}

/** Throws a BadUsage if there is no such game. */
export function parseGame(name: string): Game {
  const game = games.find((one) => one === name);
  if (!game) throw new BadUsage(`There is no game "${name}". Choose one of: ${games.join(', ')}.`);
  return game;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Problem(`${path} can't be read: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(`${path} is not JSON: ${(error as Error).message}`);
  }
}
