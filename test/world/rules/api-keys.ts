import { organizationOf } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { itemOf } from './step.ts';

const isLive = (key: object | undefined) => key !== undefined && !('revoked_at' in key);

/** An organization's stored count of live (not revoked) API keys is correct, and at most two. */
export const countedKeys: StepRule = {
  rule: 'an organization has at most two live keys and counts them',
  start: (report) => (step) => {
    const more = new Map<string, number>();
    const add = (organizationId: string, number: number) =>
      more.set(organizationId, (more.get(organizationId) ?? 0) + number);
    for (const change of step.of('api key'))
      add(organizationOf(itemOf(change)), Number(isLive(change.after)) - Number(isLive(change.before)));
    for (const { before, after } of step.of('organization')) {
      if (!after) continue;
      add(organizationOf(after), (before?.live_keys ?? 0) - (after.live_keys ?? 0));
      if (after.live_keys < 0 || after.live_keys > 2) report(`${after.pk} has ${after.live_keys} live keys`);
    }
    for (const [organizationId, number] of more)
      if (number !== 0) report(`${organizationId}: ${number} more live keys than counted`);
  },
};

export const apiKeyRules = [countedKeys];
