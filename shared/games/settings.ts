import { canonicalJson } from '../ids.ts';
import { allShards } from '../shards.ts';
import type { Item, TableWrite } from '../table/client.ts';
import { requireFormat, tableFormat } from '../table/format.ts';
import { settingsKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { type Game, games } from '../vocabulary.ts';
import { defaultPrizeTables } from './prize-tables.ts';
import { isDuring, type Promotion } from './promotion.ts';

export type Settings = { [game in Game as `cost_${game}`]: number } & {
  [game in Game as `prize_table_${game}`]: string;
} & {
  daily_spin_limit_on: boolean;
  /** Maximum plays per user and day. */
  daily_spin_limit: number;
  /** Maximum cash won by all users per day, in whole USD. */
  daily_cash_limit_usd: number;
  daily_cash_paced: boolean;
  /** Maximum wins per user and day, not counting tickets and entries. 0 means no limit. */
  daily_win_limit: number;
  /** URL of the official rules; empty if there is none. */
  rules_url: string;
  /** If true, the API refuses all requests that change data, and free spins do not run. */
  suspended: boolean;
  paused: string;
  promotion: Promotion | null;
  /** Kinds of prizes whose delivery is tracked, separated by spaces. */
  tracked_prizes: string;
  /** Days in which tracked prizes must be claimed. 0 means no deadline. */
  claim_days: number;
};

export const defaultSettings: Settings = {
  cost_prizewheel: 1,
  cost_truck: 5,
  cost_flight: 10,
  daily_spin_limit_on: true,
  daily_spin_limit: 5,
  daily_cash_limit_usd: 500,
  daily_cash_paced: false,
  daily_win_limit: 0,
  prize_table_prizewheel: defaultPrizeTables.prizewheel.version,
  prize_table_truck: defaultPrizeTables.truck.version,
  prize_table_flight: defaultPrizeTables.flight.version,
  rules_url: '',
  suspended: false,
  paused: '',
  promotion: null,
  tracked_prizes: '',
  claim_days: 0,
};

const names = Object.keys(defaultSettings) as (keyof Settings)[];

/** Throws if a setting is missing; `UnsupportedFormat` for another storage format. */
export function settingsOf(item: Item | undefined): Settings {
  if (item) requireFormat(item);
  // Games added since these settings were stored get default settings and are paused.
  const all = { ...item, ...newGameSettings(item) } as Partial<Settings>;
  const missing = names.find((name) => all[name] === undefined);
  if (missing) throw new Error(`settings of ${item?.organization_id ?? 'no organization'} lack ${missing}`);
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Settings;
}

export function settingsChange(before: SomeSettings, changes: SomeSettings) {
  const names = Object.keys(changes) as (keyof Settings)[];
  const isSame = (name: keyof Settings) =>
    changes[name] === before[name] || canonicalJson([changes[name]]) === canonicalJson([before[name]]);
  const changed = names.filter((name) => !isSame(name));
  const valuesIn = (settings: SomeSettings) =>
    Object.fromEntries(
      changed.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
    );
  return { before: valuesIn(before), after: valuesIn(changes) };
}

/** Returns the changed settings that stand once a promotion has begun, because filed official rules must not change. */
const standing = ({
  daily_cash_limit_usd,
  rules_url,
  suspended,
  paused,
  tracked_prizes,
  claim_days,
  ...odds
}: SomeSettings) =>
  // A daily cash limit of 0 stops cash like a pause, so it is always allowed.
  Object.keys(daily_cash_limit_usd ? { ...odds, daily_cash_limit_usd } : odds) as (keyof Settings)[];

export function alteredPromotion(
  { promotion, ...settings }: SomeSettings,
  changes: SomeSettings,
  at: number,
): Promotion | undefined {
  if (!promotion || !isDuring(promotion, dayOf(at))) return undefined;
  const { after } = settingsChange({ promotion, ...settings }, changes);
  // A deploy adds the settings of new games, which change no earlier odds.
  const isAltered = standing(after).some((name) => name === 'promotion' || settings[name] !== undefined);
  return isAltered ? promotion : undefined;
}

type SomeSettings = { [name in keyof Settings]?: Settings[name] | undefined };

export const gamesMissingIn = (item: Item): Game[] =>
  games.filter((game) => item[`cost_${game}`] === undefined && item[`prize_table_${game}`] === undefined);

/** Returns default settings for the games in `gamesMissingIn(item)`, and `paused` with these games added. */
function newGameSettings(item: Item = {}): Partial<Settings> {
  const added = gamesMissingIn(item);
  if (added.length === 0) return {};
  const fields = added.flatMap((game) => [`cost_${game}`, `prize_table_${game}`] as const);
  const paused = [...String(item.paused ?? '').split(' '), ...added].filter((one) => one !== '').sort();
  return {
    ...Object.fromEntries(fields.map((name) => [name, defaultSettings[name]])),
    paused: paused.join(' '),
  };
}

export const costOf = (settings: Settings, game: Game): number => settings[`cost_${game}`];

export const tableVersionOf = (settings: Settings, game: Game): string => settings[`prize_table_${game}`];

/** Copies the settings, and the open drawings for the play page, from the organization's item to the shards. */
export const settingsWrites = (organizationId: string, organization: Item): Record<string, TableWrite> =>
  Object.fromEntries(
    allShards.map((shard) => {
      const Item = {
        ...settingsKey(organizationId, shard),
        organization_id: organizationId,
        format: tableFormat,
        ...settingsOf(organization),
        ...(organization.drawings !== undefined && { drawings: organization.drawings }),
      };
      return [`settings${shard}`, { Put: { Item } }];
    }),
  );
