/**
 * Changes of settings that are set for a day: they wait in the organization's item, and what starts the spin run at
 * midnight makes them first. Each is one record when it is set, and one when it is made.
 */

import type { PrizeTable } from '../games/prize-tables.ts';
import type { Settings } from '../games/settings.ts';
import { log } from '../log.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { organizations } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { dayOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import { differences, tablePart } from './change-settings.ts';
import type { By } from './operation-records.ts';
import { type Deed, operate } from './record-action.ts';

/** A change that waits for a day in New York; `sequence` is the number of the record by which it was set. */
export type ScheduledChange = {
  sequence: number;
  from: string;
  changes: Partial<Settings>;
  operator: string;
};

/** So many can wait at a time. */
export const mostScheduled = 20;

/** The changes that wait, in the order in which they will be made. */
export const scheduledIn = (organization: Item): ScheduledChange[] =>
  ((organization.scheduled ?? []) as ScheduledChange[]).toSorted(
    (a, b) => a.from.localeCompare(b.from) || a.sequence - b.sequence,
  );

const changingNothing = { before: {}, after: {} };

/**
 * Sets changes, and a prize table with them, for a day to come. Throws a Refusal if the day has begun, or if too many
 * wait already.
 */
export function scheduleChange(
  organizationId: string,
  { from, changes }: Pick<ScheduledChange, 'from' | 'changes'>,
  by: By,
  table?: PrizeTable & { game: Game },
): Promise<void> {
  if (from <= dayOf(by.now)) throw refusals.invalid(`from: ${from} has begun in New York`);
  return operate(
    organizationId,
    (organization) => {
      const waiting = scheduledIn(organization);
      if (waiting.length >= mostScheduled)
        throw refusals.invalid(`from: ${mostScheduled} changes wait already`);
      const sequence = Number(organization.operations) + 1;
      const change = { sequence, from, changes, operator: by.operator };
      const put = table && { table, parts: { table: tablePart(organizationId, table, by) } };
      return {
        ...changingNothing,
        ...put,
        action: 'scheduled',
        about: { from, changes },
        fields: { scheduled: [...waiting, change] },
      };
    },
    by,
  );
}

/** Takes back a change that waits. Throws a Refusal if there is none of this number. */
export function unschedule(organizationId: string, sequence: number, by: By): Promise<void> {
  return operate(
    organizationId,
    (organization) => {
      const waiting = scheduledIn(organization);
      const left = waiting.filter((change) => change.sequence !== sequence);
      if (left.length === waiting.length) throw refusals.invalid(`change: none of number ${sequence} waits`);
      return { ...changingNothing, action: 'unscheduled', about: { sequence }, fields: { scheduled: left } };
    },
    by,
  );
}

/** Makes the changes of all organizations whose day has come at a time (epoch milliseconds). */
export async function makeScheduledChanges(now: number): Promise<void> {
  for (const organization of await readRange(organizations())) {
    if (!isDue(organization, now)) continue;
    const organizationId = String(organization.organization_id);
    try {
      for (let left = true; left; ) {
        await operate(
          organizationId,
          (read) => {
            const deed = dueDeed(read, now);
            left = deed !== undefined;
            return deed;
          },
          { operator: 'schedule', now },
        );
      }
    } catch (error) {
      // The others' changes, and everybody's spins, are not held up; the next sweep tries again.
      log.failure('scheduled changes', error, { organization_id: organizationId });
    }
  }
}

const isDue = (organization: Item, now: number) =>
  scheduledIn(organization).some(({ from }) => from <= dayOf(now));

/** The first of the changes that are due: each has a record of its own, which says who had set it. */
function dueDeed(organization: Item, now: number): Deed | undefined {
  const [first, ...left] = scheduledIn(organization);
  if (!first || first.from > dayOf(now)) return undefined;
  return {
    ...differences(organization, first.changes),
    action: 'changed',
    about: { sequence: first.sequence },
    fields: { scheduled: left },
  };
}
