/**
 * What every spin reads of its organization: its settings, and how the day's cash stands. One key of the table takes 3,000
 * reads a second, so an organization that is spread has copies of both items. Whoever changes one writes all of them in one
 * transaction, and so any of them says what is so.
 */
import { shardOf } from './spread.ts';

/** How many copies there are, and of the cash of days before a day (of New York) that had begun with fewer. */
export type Copies = { count: number; before: number; from: string };

/** All that there is until an operator says otherwise. */
const oneCopy: Copies = { count: 1, before: 1, from: '' };

/** Copies as an organization's item carries them; absent for one. */
export const copiesText = ({ count, before, from }: Copies): string => `${count} ${before} ${from}`;

/** The copies in a text of `copiesText`, or one if there is none. */
export function copiesIn(text: unknown): Copies {
  if (typeof text !== 'string') return oneCopy;
  const [count, before, from = ''] = text.split(' ');
  return { count: Number(count), before: Number(before), from };
}

/** How many copies the cash of a day has. */
export const copiesOn = ({ count, before, from }: Copies, day: string): number =>
  day < from ? before : count;

const known = new Map<string, Copies>();
const mostKnown = 1000;

/** Notes how many copies an organization's item, as it was read, says that there are. */
export function noteCopies({
  organization_id,
  copies,
}: {
  organization_id?: unknown;
  copies?: unknown;
}): void {
  if (typeof organization_id !== 'string' || copies === undefined) return;
  if (known.size >= mostKnown) known.clear();
  known.set(organization_id, copiesIn(copies));
}

/**
 * Which copies of an organization's item and of a day's cash to read for a user. By what this process has noted: there
 * are never fewer again, so that one that it knows of is there.
 */
export function copiesFor(organizationId: string, userId: string, day: string) {
  const copies = known.get(organizationId) ?? oneCopy;
  return { organization: shardOf(userId, copies.count), cash: shardOf(userId, copiesOn(copies, day)) };
}
