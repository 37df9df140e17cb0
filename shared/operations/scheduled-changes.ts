/**
 * Schedules changes of settings and makes them when they are due. The organization's item contains the
 * scheduled changes. A one-time schedule makes each change on time. If the one-time schedule fails, the next
 * spin sweep (every 15 minutes) makes the change. Scheduling a change and making it are two actions, each
 * with its own record.
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
import { type OperatorAction, recordAction } from './record-action.ts';

/**
 * A waiting change: a change of settings that is scheduled and not made yet. `sequence` is the sequence
 * number of the action that scheduled the change.
 */
export type ScheduledChange = {
  sequence: number;
  /** ISO instant from which the change applies. */
  from: string;
  changes: Partial<Settings>;
  operator: string;
};

/** Maximum number of waiting changes per organization. */
export const maxScheduled = 20;

/** Returns an organization's waiting changes in the order in which they will be made. */
export const scheduledIn = (organization: Item): ScheduledChange[] =>
  ((organization.scheduled ?? []) as ScheduledChange[]).toSorted(
    (a, b) => a.from.localeCompare(b.from) || a.sequence - b.sequence,
  );

const sameSettings = { before: {}, after: {} };

/**
 * Schedules a change of settings for a future time (`from`, epoch milliseconds). If `table` is given, also
 * stores this prize table. Returns the sequence number of the scheduled change. Throws a Refusal if `from` is
 * in the past or too many changes are waiting.
 */
export async function scheduleChange(
  organizationId: string,
  { from, changes }: { from: number; changes: Partial<Settings> },
  by: By,
  table?: PrizeTable & { game: Game },
): Promise<number> {
  if (from <= by.now) throw refusals.invalid(`from: ${newYorkTime(from)} has passed`);
  const about = { from: isoOf(from), changes };
  let sequence = 0;
  await recordAction(
    organizationId,
    (organization) => {
      const waiting = scheduledIn(organization);
      if (waiting.length >= maxScheduled)
        throw refusals.invalid(`from: ${maxScheduled} changes are already waiting`);
      sequence = Number(organization.operations) + 1;
      const change = { sequence, ...about, operator: by.operator };
      const put = table && { table, parts: { table: tablePart(organizationId, table, by) } };
      return {
        ...sameSettings,
        ...put,
        action: 'scheduled',
        about,
        fields: { scheduled: [...waiting, change] },
      };
    },
    by,
  );
  return sequence;
}

/**
 * Creates the one-time schedule for a waiting change. Call this after `scheduleChange`. If the process
 * crashes between the two calls, a spin sweep makes the change up to 15 minutes late. In the opposite order,
 * a crash would leave a schedule without a change. Throws if the schedule cannot be created.
 */
export const makeOnTime = (organizationId: string, sequence: number, from: number): Promise<void> =>
  callAt(from, `${organizationId}-${sequence}`, organizationId);

/** Withdraws a waiting change. Throws a Refusal if no waiting change has this sequence number. */
export function unschedule(organizationId: string, sequence: number, by: By): Promise<void> {
  return recordAction(
    organizationId,
    (organization) => {
      const waiting = scheduledIn(organization);
      const left = waiting.filter((change) => change.sequence !== sequence);
      if (left.length === waiting.length) throw refusals.invalid(`change: no change ${sequence} is waiting`);
      return { ...sameSettings, action: 'unscheduled', about: { sequence }, fields: { scheduled: left } };
    },
    by,
  );
}

/**
 * Makes the changes that are due at `now` (epoch milliseconds). With `organizationId`, makes only the changes
 * of this organization, and throws if one fails. Without `organizationId`, makes the changes of all
 * organizations; it logs a failed change and leaves it to the next spin sweep.
 */
export async function makeScheduledChanges(now: number, organizationId?: string): Promise<void> {
  if (organizationId !== undefined) return makeDueChanges(organizationId, now);
  for (const organization of await readRange(organizations())) {
    if (!firstDueAction(organization, now)) continue;
    const organizationId = String(organization.organization_id);
    // Only logs the error: one organization's failed change must not delay the changes and free spins of
    // other organizations.
    await makeDueChanges(organizationId, now).catch((error: unknown) =>
      log.failure('scheduled changes', error, { organization_id: organizationId }),
    );
  }
}

async function makeDueChanges(organizationId: string, now: number): Promise<void> {
  for (let left = true; left; ) {
    await recordAction(
      organizationId,
      (organization) => {
        const operatorAction = firstDueAction(organization, now);
        left = operatorAction !== undefined;
        return operatorAction;
      },
      { operator: 'schedule', now },
    );
  }
}

/**
 * Returns the action that makes the organization's first due change, or undefined if none is due. The
 * action's record contains the sequence number of the action that scheduled the change.
 */
function firstDueAction(organization: Item, now: number): OperatorAction | undefined {
  const [first, ...left] = scheduledIn(organization);
  if (!first || Date.parse(first.from) > now) return undefined;
  return {
    ...differences(organization, first.changes),
    action: 'changed',
    about: { sequence: first.sequence },
    fields: { scheduled: left },
  };
}
