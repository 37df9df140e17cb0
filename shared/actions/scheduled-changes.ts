/** If a change's one-time schedule fails, the next spin sweep makes the change. */

import type { PrizeTable } from '../games/prize-tables.ts';
import { alteredPromotion, type Settings, settingsChange, settingsOf } from '../games/settings.ts';
import { log } from '../log.ts';
import { scheduleCall } from '../one-time-schedules.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { organizationsRange } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf, newYorkTime } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import type { ActionContext } from './action-records.ts';
import { prizeTableWrite, requireDespiteRules } from './change-settings.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/** A scheduled change of settings, not made yet. `sequence` is the number of the action that scheduled the change. */
export type ScheduledChange = {
  sequence: number;
  from: string;
  changes: Partial<Settings>;
  operator: string;
};

/** Maximum number of waiting changes per organization. */
const maxScheduled = 20;

export const waitingChangesIn = (organization: Item): ScheduledChange[] =>
  ((organization.scheduled ?? []) as ScheduledChange[]).toSorted(
    (a, b) => a.from.localeCompare(b.from) || a.sequence - b.sequence,
  );

const sameSettings = { before: {}, after: {} };

/** Schedules a change for the time `from` (epoch milliseconds). Returns the change's number. */
export async function scheduleSettingsChange(
  organizationId: string,
  { from, changes }: { from: number; changes: Partial<Settings> },
  context: ActionContext,
  table?: PrizeTable & { game: Game },
): Promise<number> {
  const about = { from: isoOf(from), changes };
  let sequence = 0;
  await recordAction(
    organizationId,
    (organization, current) => {
      if (from <= current.now) throw refusals.invalid(`from: ${newYorkTime(from)} has passed`);
      const waiting = waitingChangesIn(organization);
      if (waiting.length >= maxScheduled)
        throw refusals.invalid(`from: ${maxScheduled} changes are already waiting`);
      sequence = Number(organization.actions) + 1;
      const altered = alteredPromotion(settingsAt(organization, from), changes, from);
      const change = { sequence, ...about, operator: context.operator };
      const put = table && { table, writes: { table: prizeTableWrite(organizationId, table, current) } };
      return {
        ...sameSettings,
        ...put,
        action: 'scheduled',
        about: { ...about, ...(altered && requireDespiteRules(altered, current)) },
        fields: { scheduled: [...waiting, change] },
      };
    },
    context,
  );
  return sequence;
}

/** Returns the settings that will be in force at a time if all waiting changes are made. */
export const settingsAt = (organization: Item, at: number): Settings =>
  Object.assign(
    settingsOf(organization),
    ...waitingChangesIn(organization).flatMap(({ from, changes }) => (Date.parse(from) <= at ? changes : [])),
  );

/** Schedules a call that makes a change. Without it, a spin sweep makes the change up to 15 minutes late. */
export const scheduleChangeCall = (organizationId: string, sequence: number, from: number): Promise<void> =>
  scheduleCall(from, `${organizationId}-${sequence}`, organizationId);

/** Throws a Refusal if no waiting change has this sequence number. */
export function unschedule(organizationId: string, sequence: number, context: ActionContext): Promise<void> {
  return recordAction(
    organizationId,
    (organization) => {
      const waiting = waitingChangesIn(organization);
      const left = waiting.filter((change) => change.sequence !== sequence);
      if (left.length === waiting.length) throw refusals.invalid(`change: no change ${sequence} is waiting`);
      return { ...sameSettings, action: 'unscheduled', about: { sequence }, fields: { scheduled: left } };
    },
    context,
  );
}

/** Makes due changes of one organization, or of all; of all, failures are only logged. This can take minutes. */
export async function makeScheduledChanges(now: () => number, organizationId?: string): Promise<void> {
  if (organizationId !== undefined) return makeDueChanges(organizationId, now);
  for (const organization of await readRange(organizationsRange())) {
    if (!firstDueAction(organization, now())) continue;
    const organizationId = String(organization.organization_id);
    // Only logs the error: one organization's failed change must not delay the changes and free spins of
    // other organizations.
    await makeDueChanges(organizationId, now).catch((error: unknown) =>
      log.failure('scheduled changes', error, { organization_id: organizationId }),
    );
  }
}

async function makeDueChanges(organizationId: string, now: () => number): Promise<void> {
  for (let left = true; left; ) {
    await recordAction(
      organizationId,
      (organization, current) => {
        const operatorAction = firstDueAction(organization, current.now);
        left = operatorAction !== undefined;
        return operatorAction;
      },
      { operator: 'schedule', now: now() },
    );
  }
}

function firstDueAction(organization: Item, now: number): OperatorAction | undefined {
  const [first, ...left] = waitingChangesIn(organization);
  if (!first || Date.parse(first.from) > now) return undefined;
  const changed = settingsChange(organization, first.changes);
  const altered = alteredPromotion(organization, changed.after, now);
  return {
    ...changed,
    action: 'changed',
    about: { sequence: first.sequence, ...(altered && { despite_rules: altered.name }) },
    fields: { scheduled: left },
  };
}
