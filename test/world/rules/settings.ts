/** What an organization has set, and what holds until it does: the figures of the contract. */
import { createHash } from 'node:crypto';
import { defaultPrizeTables, type Prize } from '../../../shared/games/prize-tables.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import type { StoredItem } from '../journal.ts';
import { rememberValues } from './history-of-values.ts';
import type { Allowances } from './rule.ts';
import type { Step } from './step.ts';
import { organizationOf } from './stored.ts';
import { dayAfter, startOf } from './true-time.ts';

const defaultCosts: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

/** The organization's item, or that it has set nothing. */
export type Organization = StoredItem | undefined;

/** Whole USD of cash that may be granted on a day. */
export const cashLimitOf = (organization: Organization): number => organization?.daily_cash_limit_usd ?? 500;

/** How many chains the cash of a day has. */
export function chainsOn(organization: Organization, day: string): number {
  const { cash_chains = 1, chains_before: before } = (organization ?? {}) as StoredItem;
  return before && before.day >= day ? before.count : cash_chains;
}

/** The number of a user's chain, from 0. */
export const chainOf = (userId: string, chains: number): number =>
  createHash('sha256').update(userId).digest().readUInt32BE(0) % chains;

/** The shard of a user, one of sixteen. */
export const shardOf = (userId: string): number => chainOf(userId, 16);

/** Whole USD of cash that a chain may grant on a day: of what cannot be shared out, one goes to each of the first. */
export function cashShareOf(organization: Organization, day: string, chain: number): number {
  const [limit, chains] = [cashLimitOf(organization), chainsOn(organization, day)];
  return Math.floor(limit / chains) + (chain < limit % chains ? 1 : 0);
}

/** Whole USD of a share that are available at a time: all, or if it is paced those of the hours of the day so far. */
export function availableAt(organization: Organization, share: number, day: string, at: number): number {
  if (!organization?.daily_cash_paced) return share;
  const [begins, ends] = [startOf(day), startOf(dayAfter(day))];
  const time = Math.min(Math.max(at, begins), ends - 1);
  const [begun, all] = [Math.ceil((time + 1 - begins) / hourMs), (ends - begins) / hourMs];
  return Math.floor((share * begun) / all);
}
const hourMs = 3_600_000;

/** How often a user may win on a day; nothing if there is no limit. */
export const winLimitOf = (organization: Organization): number | undefined =>
  organization?.daily_win_limit || undefined;

/** How many regular plays a user may make on a day. */
export const spinLimitOf = (organization: Organization): number =>
  (organization?.daily_spin_limit_on ?? true) ? (organization?.daily_spin_limit ?? 5) : Infinity;

/** Tickets that a game costs. */
export const costOf = (organization: Organization, game: Game): number =>
  organization?.[`cost_${game}`] ?? defaultCosts[game];

/** The version of the table that a game is drawn from. */
export const tableVersionOf = (organization: Organization, game: Game): string =>
  organization?.[`prize_table_${game}`] ?? defaultPrizeTables[game].version;

/** The prize tables that there are: today's default tables, and those that organizations have stored. */
export type PrizeTables = (
  organizationId: string,
  game: Game,
  version: string,
) => readonly Prize[] | undefined;

/** Prize tables over the items in which organizations keep theirs, by the partition and sort key. */
export function prizeTables(own: ReadonlyMap<string, StoredItem>): PrizeTables {
  return (organizationId, game, version) => {
    const { version: ofDefault, prizes } = defaultPrizeTables[game];
    if (version === ofDefault) return prizes;
    return own.get(`ORG#${organizationId} GAME#${game}#${version}`)?.prizes;
  };
}

/** The prize tables that organizations put in place, step by step. */
export function watchPrizeTables(): { tables: PrizeTables; see: (step: Step) => void } {
  const own = new Map<string, StoredItem>();
  return {
    tables: prizeTables(own),
    see(step) {
      for (const { after } of step.of('prize table')) if (after) own.set(`${after.pk} ${after.sk}`, after);
    },
  };
}

/** The organizations of a step, as they were in force at some time in the last while. */
export function watchOrganizations({ requestMs }: Allowances) {
  const organizations = rememberValues<Organization>(requestMs);
  return {
    recent: (organizationId: string, at: number) => organizations.since(organizationId, at - requestMs),
    see(step: Step) {
      for (const { after } of step.of('organization'))
        if (after) organizations.set(organizationOf(after), after, step.at);
    },
  };
}
