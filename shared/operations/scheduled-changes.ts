/**
 * Changes of settings that are set for a time to come: they wait in the organization's item. A one-time
 * schedule has them made at their moment, and each sweep makes what a schedule missed. Each is one record
 * when it is set, and one when it is made.
 */

import type { PrizeTable } from '../games/prize-tables.ts';
import type { Settings } from '../games/settings.ts';
import { log } from '../log.ts';
import { callAt } from '../one-time-schedules.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { organizations } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf, newYorkTime } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import { differences, tablePart } from './change-settings.ts';
import type { By } from './operation-records.ts';
import { type Deed, operate } from './record-action.ts';

/** A change that waits; `sequence` is the number of the record by which it was set. */
export type ScheduledChange = {
  sequence: number;
  /** The instant from which it is to be in force. */
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
 * Sets changes, and a prize table with them, for a time to come (epoch milliseconds). Returns the number by which they
 * wait. Throws a Refusal if the time has passed, or if too many wait already.
 */
export async function scheduleChange(
  organizationId: string,
  { from, changes }: { from: number; changes: Partial<Settings> },
  by: By,
  table?: PrizeTable & { game: Game },
): Promise<number> {
  if (from <= by.now) throw refusals.invalid(`from: ${newYorkTime(from)} has passed`);
  const said = { from: isoOf(from), changes };
  let sequence = 0;
  await operate(
    organizationId,
    (organization) => {
      const waiting = scheduledIn(organization);
      if (waiting.length >= mostScheduled)
        throw refusals.invalid(`from: ${mostScheduled} changes wait already`);
      sequence = Number(organization.operations) + 1;
      const change = { sequence, ...said, operator: by.operator };
      const put = table && { table, parts: { table: tablePart(organizationId, table, by) } };
      return {
        ...changingNothing,
        ...put,
        action: 'scheduled',
        about: said,
        fields: { scheduled: [...waiting, change] },
      };
    },
    by,
  );
  return sequence;
}

/**
 * Has a change that waits made at its time, to which a sweep would be up to a quarter of an hour late. Called once the
 * change is set, so that no schedule is there without its change. Throws if the schedule may not exist.
 */
export const makeOnTime = (organizationId: string, sequence: number, from: number): Promise<void> =>
  callAt(from, `${organizationId}-${sequence}`, organizationId);

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

/**
 * Makes the changes that are due at a time (epoch milliseconds), of one organization or of all. Throws if
 * one's could not be made; of all, those that could not be made are left to the next sweep.
 */
export async function makeScheduledChanges(now: number, organizationId?: string): Promise<void> {
  if (organizationId !== undefined) return makeDueChanges(organizationId, now);
  for (const organization of await readRange(organizations())) {
    if (!dueDeed(organization, now)) continue;
    const organizationId = String(organization.organization_id);
    // The others' changes, and everybody's spins, are not held up.
    await makeDueChanges(organizationId, now).catch((error: unknown) =>
      log.failure('scheduled changes', error, { organization_id: organizationId }),
    );
  }
}

async function makeDueChanges(organizationId: string, now: number): Promise<void> {
  for (let left = true; left; ) {
    await operate(
      organizationId,
      (organization) => {
        const deed = dueDeed(organization, now);
        left = deed !== undefined;
        return deed;
      },
      { operator: 'schedule', now },
    );
  }
}

/** The first of the changes that are due: each has a record of its own, which says who had set it. */
function dueDeed(organization: Item, now: number): Deed | undefined {
  const [first, ...left] = scheduledIn(organization);
  if (!first || Date.parse(first.from) > now) return undefined;
  return {
    ...differences(organization, first.changes),
    action: 'changed',
    about: { sequence: first.sequence },
    fields: { scheduled: left },
  };
}
