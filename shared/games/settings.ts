/** The settings of an organization's games. */

import { allShards } from '../shards.ts';
import type { Item, Part } from '../table/client.ts';
import { format, requireFormat } from '../table/format.ts';
import { settingsKey } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { defaultPrizeTables } from './prize-tables.ts';

/**
 * An organization's settings: costs in tickets, regular plays per user and day, cash of all users per day in
 * whole USD, and the version of each game's prize table. They are fields of the organization's item, and of a copy of
 * them in each shard, which the requests of the shard's users read.
 */
export type Settings = { [game in Game as `cost_${game}`]: number } & {
  [game in Game as `prize_table_${game}`]: string;
} & {
  daily_spin_limit_on: boolean;
  daily_spin_limit: number;
  daily_cash_limit_usd: number;
  /** Whether of the day's cash no more is available than the share of the day's hours that have begun. */
  daily_cash_paced: boolean;
  /** How often a user may win on a day what is neither tickets nor an entry; 0: as often as may be. */
  daily_win_limit: number;
  /** Empty: none is shown. */
  rules_url: string;
  /** How many chains the day's cash has. A change begins with the next day in New York. */
  cash_chains: number;
  /** The chain of the beacon that queued spins are promised: the stage's, as it was recorded. Empty: none. */
  beacon: string;
  /** Whether nothing of the organization may change for the time being. */
  suspended: boolean;
  /** What is paused, as words in alphabetical order. Empty: nothing. */
  paused: string;
};

/** Settings as they are stored; up to the day of the last change of `cash_chains` there were so many chains. */
export type StoredSettings = Settings & { chains_before?: { day: string; count: number } };

/** The settings of a new organization. */
export const defaultSettings: Settings = {
  cost_prizewheel: 1,
  cost_truck: 5,
  cost_flight: 10,
  daily_spin_limit_on: true,
  daily_spin_limit: 5,
  daily_cash_limit_usd: 500,
  daily_cash_paced: false,
  daily_win_limit: 0,
  cash_chains: 1,
  prize_table_prizewheel: defaultPrizeTables.prizewheel.version,
  prize_table_truck: defaultPrizeTables.truck.version,
  prize_table_flight: defaultPrizeTables.flight.version,
  rules_url: '',
  beacon: '',
  suspended: false,
  paused: '',
};

const names = Object.keys(defaultSettings) as (keyof Settings)[];

/** The settings in an organization's item, or in a copy of them. Throws if one is missing, and OtherFormat. */
export function settingsOf(item: Item | undefined): StoredSettings {
  if (item) requireFormat(item);
  const missing = names.find((name) => item?.[name] === undefined);
  if (missing)
    throw new Error(`the settings of ${item?.organization_id ?? 'no organization'} lack ${missing}`);
  const stored = item?.chains_before === undefined ? names : [...names, 'chains_before'];
  return Object.fromEntries(stored.map((name) => [name, item?.[name]])) as StoredSettings;
}

/** Tickets that a game costs. */
export const costOf = (settings: Settings, game: Game): number => settings[`cost_${game}`];

/** Version of the prize table that a game draws from. */
export const tableVersionOf = (settings: Settings, game: Game): string => settings[`prize_table_${game}`];

/** The parts of a transaction that write the copies of an organization's settings. */
export const settingsParts = (organizationId: string, settings: StoredSettings): Record<string, Part> =>
  Object.fromEntries(
    allShards.map((shard) => {
      const Item = {
        ...settingsKey(organizationId, shard),
        organization_id: organizationId,
        format,
        ...settings,
      };
      return [`settings${shard}`, { Put: { Item } }];
    }),
  );
