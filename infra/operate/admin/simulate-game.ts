import { randomBytes } from 'node:crypto';
import { cashChainsOn } from '../../../shared/games/cash-limit.ts';
import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import { versionOf } from '../../../shared/games/prize-tables.ts';
import { tableVersionOf } from '../../../shared/games/settings.ts';
import { dayOf } from '../../../shared/time.ts';
import { BadUsage, wholeNumber } from '../../common/arguments.ts';
import { gameOf, readPrizes } from './game-file.ts';
import { readSettings } from './organization.ts';
import { parseSettings } from './settings-schema.ts';
import { simulate } from './simulation.ts';

/** A simulation's options as typed. `file` is a JSON prize table; `dailyCash` is USD or `none`. */
type TypedSimulation = {
  file?: string | undefined;
  plays?: string | undefined;
  days?: string | undefined;
  playsPerDay?: string | undefined;
  dailyCash?: string | undefined;
  seed?: string | undefined;
};

/** Simulates plays (default: a million on one day) under the organization's daily cash limit. Writes nothing. */
export async function simulateGame(
  organizationId: string,
  named: string,
  typed: TypedSimulation,
  now: number,
) {
  const game = gameOf(named);
  const numbers = playsOf(typed);
  const filePrizes = typed.file === undefined ? undefined : await readPrizes(typed.file, game);
  const limit = typed.dailyCash === 'none' ? {} : parseSettings({ daily_cash_limit_usd: typed.dailyCash });
  const settings = { ...(await readSettings(organizationId)), ...limit };
  const prizes =
    filePrizes ?? (await readPrizeTable(organizationId, game, tableVersionOf(settings, game))).prizes;
  const limitUsd = typed.dailyCash === 'none' ? null : settings.daily_cash_limit_usd;
  const cashChains = cashChainsOn(settings, dayOf(now));
  const paced = settings.daily_cash_paced;
  const { seed = randomBytes(16).toString('hex') } = typed;
  const description = {
    game,
    version: versionOf(game, prizes),
    seed,
    daily_cash_limit_usd: limitUsd,
    daily_cash_paced: paced,
    chains: cashChains,
  };
  return { ...description, ...simulate({ prizes, ...numbers, limitUsd, paced, chains: cashChains, seed }) };
}

// Maximum number of simulated plays. A simulation of this size takes about ten minutes.
const maxPlays = 100_000_000;
const maxDays = 10_000;

function playsOf({ plays, days, playsPerDay }: TypedSimulation): { days: number; playsPerDay: number } {
  if (days === undefined && playsPerDay === undefined) {
    return { days: 1, playsPerDay: wholeNumber('--plays', plays ?? '1000000', [1, maxPlays]) };
  }
  if (plays !== undefined || days === undefined || playsPerDay === undefined) {
    throw new BadUsage('Give --plays, or both --days and --plays-per-day.');
  }
  const daysToPlay = wholeNumber('--days', days, [1, maxDays]);
  const maxPerDay = Math.floor(maxPlays / daysToPlay);
  return { days: daysToPlay, playsPerDay: wholeNumber('--plays-per-day', playsPerDay, [1, maxPerDay]) };
}
