/** What an organization may set about its games, and what holds until it does. */
import { copiesIn } from '../copies.ts';
import type { Item, Part } from '../table/client.ts';
import { type Key, organizationKey } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { defaultPrizeTables } from './prize-tables.ts';

/**
 * An organization's settings: costs in tickets, regular plays per user and day, cash of all users per day in
 * whole USD, and the version of each game's prize table. Stored as fields of the organization's item.
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
  /** In how many chains the day's cash is granted from a day on, as a text of `count-by-day.ts`. Empty: in one. */
  cash_chains: string;
  /** The chain of the beacon that queued spins are promised: the stage's, as it was recorded. Empty: none. */
  beacon: string;
  /** Whether nothing of the organization may change for the time being. */
  suspended: boolean;
  /** What is paused, as words in alphabetical order. Empty: nothing. */
  paused: string;
};

const defaults: Settings = {
  cost_prizewheel: 1,
  cost_truck: 5,
  cost_flight: 10,
  daily_spin_limit_on: true,
  daily_spin_limit: 5,
  daily_cash_limit_usd: 500,
  daily_cash_paced: false,
  daily_win_limit: 0,
  cash_chains: '',
  prize_table_prizewheel: defaultPrizeTables.prizewheel.version,
  prize_table_truck: defaultPrizeTables.truck.version,
  prize_table_flight: defaultPrizeTables.flight.version,
  rules_url: '',
  beacon: '',
  suspended: false,
  paused: '',
};

/** The settings in an organization's item, each as it was set or by default. */
export function settingsOf(organization: Item | undefined): Settings {
  const names = Object.keys(defaults) as (keyof Settings)[];
  const set = names.filter((name) => organization?.[name] !== undefined);
  return { ...defaults, ...Object.fromEntries(set.map((name) => [name, organization?.[name]])) };
}

/** Tickets that a game costs. */
export const costOf = (settings: Settings, game: Game): number => settings[`cost_${game}`];

/** Version of the prize table that a game draws from. */
export const tableVersionOf = (settings: Settings, game: Game): string => settings[`prize_table_${game}`];

/**
 * The parts of a transaction that write to the copies of an organization's item what spins read of it: its settings, and
 * how many shards and copies there are. None if it has no copies.
 */
export function settingsCopies(organization: Item): Record<string, Part> {
  const { organization_id, spread, copies } = organization;
  const item = { organization_id, spread, copies, ...settingsOf(organization) };
  const parts: Record<string, Part> = {};
  for (let copy = 1; copy < copiesIn(organization).copies.count; copy++) {
    parts[`copy${copy}`] = { Put: { Item: { ...organizationKey(String(organization_id), copy), ...item } } };
  }
  return parts;
}

/**
 * The part of a transaction that holds only while an organization limits and paces the day's cash, and has as many copies
 * of what spins read, as when it was read; by the organization's item or a copy of it.
 */
export function whileBudgetsAreSet(key: Key, organization: Item | undefined): Part {
  const { daily_cash_limit_usd, daily_cash_paced } = settingsOf(organization);
  const copies = organization?.copies;
  return {
    ConditionCheck: {
      Key: key,
      ConditionExpression: `(${sameLimit}) AND (${samePace}) AND ${copies === undefined ? noCopies : sameCopies}`,
      ExpressionAttributeValues: {
        ':limit': daily_cash_limit_usd,
        ':paced': daily_cash_paced,
        ...(copies === undefined ? {} : { ':copies': copies }),
      },
    },
  };
}

// An organization that never set one has the default, and what was set is never taken away.
const sameLimit = 'attribute_not_exists(daily_cash_limit_usd) OR daily_cash_limit_usd = :limit';
const noCopies = 'attribute_not_exists(copies)';
const sameCopies = 'copies = :copies';
const samePace = 'attribute_not_exists(daily_cash_paced) OR daily_cash_paced = :paced';
