/**
 * Scheduled changes of settings. They wait in the organization's item. A one-time schedule makes each on
 * time, and every sweep makes those that a schedule missed. Scheduling and making a change are two actions
 * with a record each.
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

/** A waiting change. `sequence` is that of the action that scheduled it. */
export type ScheduledChange = {
  sequence: number;
  /** The instant (ISO) from which the change applies. */
  from: string;
  changes: Partial<Settings>;
  operator: string;
};

/** Maximum number of waiting changes. */
export const maxScheduled = 20;

/** Returns the waiting changes in the order in which they will be made. */
export const scheduledIn = (organization: Item): ScheduledChange[] =>
  ((organization.scheduled ?? []) as ScheduledChange[]).toSorted(
    (a, b) => a.from.localeCompare(b.from) || a.sequence - b.sequence,
  );

const sameSettings = { before: {}, after: {} };

/**
 * Schedules changes of settings, optionally with a prize table, for a time in the future (epoch
 * milliseconds). Returns the change's sequence number. Throws a Refusal if the time has passed or too many
 * changes are waiting.
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
 * Creates the one-time schedule for a waiting change. Without it, the next sweep makes the change up to 15
 * minutes late. Called after `scheduleChange`, so that a crash in between delays the change but never leaves
 * a schedule without one. Throws if the schedule cannot be created.
 */
export const makeOnTime = (organizationId: string, sequence: number, from: number): Promise<void> =>
  callAt(from, `${organizationId}-${sequence}`, organizationId);

/** Withdraws a waiting change. Throws a Refusal if no change has this number. */
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
 * Makes the changes that are due at a time (epoch milliseconds). For one organization, throws if a change
 * fails. For all organizations, logs failures and leaves the failed changes to the next sweep.
 */
export async function makeScheduledChanges(now: number, organizationId?: string): Promise<void> {
  if (organizationId !== undefined) return makeDueChanges(organizationId, now);
  for (const organization of await readRange(organizations())) {
    if (!firstDueAction(organization, now)) continue;
    const organizationId = String(organization.organization_id);
    // A failure must not delay other organizations' changes or anybody's spins.
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
 * Returns the action that makes the first due change, or undefined. Each change has its own record, which
 * names the action that scheduled it.
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
