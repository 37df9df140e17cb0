/** Advances an organization's calendar, so that its host sees midnight and the limits of the next day at once. */
import { sendShards } from '../amoe/spin-queue.ts';
import { currentStage } from '../environment.ts';
import { settingsOf, settingsParts, todayIn } from '../games/settings.ts';
import { faultRefusals, refusals } from '../refusals.ts';
import { allShards } from '../shards.ts';
import { debugStages } from '../stage.ts';
import type { ActionContext } from './operation-records.ts';
import { recordAction } from './record-action.ts';

/**
 * Sets the number of days by which an organization's calendar is ahead of New York's, and starts the run of spins that
 * are due then. Returns the organization's day. Throws a Refusal if the calendar would go back, or the run was not
 * started.
 */
export async function setDaysAhead(
  organizationId: string,
  days_ahead: number,
  context: ActionContext,
): Promise<string> {
  if (!debugStages.includes(currentStage())) throw new Error(`${currentStage()} has only real days`);
  await recordAction(
    organizationId,
    (organization) => {
      const { days_ahead: before = 0, ...settings } = settingsOf(organization);
      if (days_ahead < before) throw refusals.calendarAhead(before);
      if (days_ahead === before) return undefined;
      return {
        action: 'changed',
        before: {},
        after: {},
        fields: { days_ahead },
        parts: settingsParts(organizationId, { ...settings, days_ahead }),
      };
    },
    { ...context, why: `calendar ${days_ahead} days ahead` },
  );
  const day = todayIn({ days_ahead }, context.now);
  const messages = allShards.map((shard) => ({ organization_id: organizationId, shard, day }));
  // The calendar has moved, so a repeated request only sends the messages again.
  await sendShards(messages).catch((error: unknown) => {
    throw faultRefusals.outcomeUnknown(error);
  });
  return day;
}
