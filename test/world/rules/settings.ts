/**
 * Reads an organization's settings and prize tables, with the contract's defaults, and computes the shares of
 * the daily cash.
 */
import { createHash } from 'node:crypto';
import { defaultPrizeTables, type Prize } from '../../../shared/games/prize-tables.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import type { StoredItem } from '../journal.ts';
import { dayAfter, startOf } from './days-and-ulids.ts';
import { organizationOf } from './item-types.ts';
import { trackValues } from './recent-values.ts';
import type { Allowances } from './rule.ts';
import type { Step } from './step.ts';

const defaultCosts: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

/** The item of an organization. Undefined means that all settings have their defaults. */
export type Organization = StoredItem | undefined;

/** Returns the daily cash limit in whole USD. */
export const cashLimitOf = (organization: Organization): number => organization?.daily_cash_limit_usd ?? 500;

/** Returns a day's number of cash chains: groups of users with a share of the daily cash. */
export function chainsOn(organization: Organization, day: string): number {
  const { cash_chains = 1, chains_before: before } = (organization ?? {}) as StoredItem;
  return before && before.day >= day ? before.count : cash_chains;
}

/** Returns the number of the user's chain, from 0, if users are divided into `chains` chains. */
export const chainOf = (userId: string, chains: number): number =>
  createHash('sha256').update(userId).digest().readUInt32BE(0) % chains;

/** Returns a user's shard, from 0 to 15. */
export const shardOf = (userId: string): number => chainOf(userId, 16);

/** Returns a chain's share of the daily cash in whole USD. The first chains get the remainder. */
export function cashShareOf(organization: Organization, day: string, chain: number): number {
  const [limit, chains] = [cashLimitOf(organization), chainsOn(organization, day)];
  return Math.floor(limit / chains) + (chain < limit % chains ? 1 : 0);
}

/** Returns a chain's cash available at a time, in whole USD. Pacing adds an equal part each hour. */
export function availableAt(organization: Organization, share: number, day: string, at: number): number {
  if (!organization?.daily_cash_paced) return share;
  const [begins, ends] = [startOf(day), startOf(dayAfter(day))];
  const time = Math.min(Math.max(at, begins), ends - 1);
  const [begun, all] = [Math.ceil((time + 1 - begins) / hourMs), (ends - begins) / hourMs];
  return Math.floor((share * begun) / all);
}
const hourMs = 3_600_000;

/** Returns the maximum number of a user's wins per day. Undefined means no limit. */
export const winLimitOf = (organization: Organization): number | undefined =>
  organization?.daily_win_limit || undefined;

/** Returns the maximum number of a user's regular plays per day, or Infinity if the limit is off. */
export const spinLimitOf = (organization: Organization): number =>
  (organization?.daily_spin_limit_on ?? true) ? (organization?.daily_spin_limit ?? 5) : Infinity;

/** Returns the cost of a play in tickets. */
export const costOf = (organization: Organization, game: Game): number =>
  organization?.[`cost_${game}`] ?? defaultCosts[game];

/** Returns the version of a game's current prize table. */
export const tableVersionOf = (organization: Organization, game: Game): string =>
  organization?.[`prize_table_${game}`] ?? defaultPrizeTables[game].version;

/** Returns the prizes of a version of a game's prize table, either a default or a stored one. */
export type PrizeTables = (
  organizationId: string,
  game: Game,
  version: string,
) => readonly Prize[] | undefined;

/**
 * Creates a lookup of prize tables. `own` maps `<partition key> <sort key>` to the stored tables of
 * organizations.
 */
export function prizeTables(own: ReadonlyMap<string, StoredItem>): PrizeTables {
  return (organizationId, game, version) => {
    const { version: ofDefault, prizes } = defaultPrizeTables[game];
    if (version === ofDefault) return prizes;
    return own.get(`ORG#${organizationId} GAME#${game}#${version}`)?.prizes;
  };
}

/** Collects all prize tables that are written. `tables` finds a table by organization, game and version. */
export function trackPrizeTables(): { tables: PrizeTables; see: (step: Step) => void } {
  const own = new Map<string, StoredItem>();
  return {
    tables: prizeTables(own),
    see(step) {
      for (const { after } of step.of('prize table')) if (after) own.set(`${after.pk} ${after.sk}`, after);
    },
  };
}

/**
 * Stores recent states of organizations. `recent` returns each state that a request writing at `at` may have
 * read.
 */
export function trackOrganizations({ requestMs }: Allowances) {
  const organizations = trackValues<Organization>(requestMs);
  return {
    recent: (organizationId: string, at: number) => organizations.since(organizationId, at - requestMs),
    see(step: Step) {
      for (const { after } of step.of('organization'))
        if (after) organizations.set(organizationOf(after), after, step.at);
    },
  };
}
