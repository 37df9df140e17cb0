/**
 * Copies of what every spin reads of its organization: its settings, and how the day's cash stands. One key of the table
 * takes 3,000 reads a second, so an organization that is spread has each of the two several times. Whoever changes one
 * writes all of them in one transaction, and so any of them says what is so.
 */
import { type CountByDay, countIn } from './count-by-day.ts';

/**
 * How often an organization has its settings, the original included, and in how many chains the day's cash is granted. Of
 * the day's cash there are as many, shared out among its chains; a change of either number is one of later days' cash.
 */
export type Copies = { copies: CountByDay; chains: CountByDay };

/** What an organization's item, or a copy of it, says of copies and chains: one of each if it says nothing. */
export const copiesIn = (organization: { copies?: unknown; cash_chains?: unknown } = {}): Copies => ({
  copies: countIn(organization.copies),
  chains: countIn(organization.cash_chains),
});

/** The number of a copy for one of many: 0 is the original, which is left to whoever does not know of copies. */
export const copyFor = ({ copies: { count } }: Copies, hash: (among: number) => number): number =>
  count === 1 ? 0 : 1 + hash(count - 1);

const known = new Map<string, Copies>();
const mostKnown = 1000;

/** Notes what an organization's item, as it was read, says of its copies. */
export function noteCopies(organization: {
  organization_id?: unknown;
  copies?: unknown;
  cash_chains?: unknown;
}): void {
  const { organization_id, copies, cash_chains } = organization;
  if (typeof organization_id !== 'string' || !(copies || cash_chains)) return;
  if (known.size >= mostKnown) known.clear();
  known.set(organization_id, copiesIn(organization));
}

/** The copies of an organization as far as this process has noted them. There are never fewer of its item again. */
export const copiesOf = (organizationId: string): Copies => known.get(organizationId) ?? copiesIn();
