/** Rules of the number and the secrets of webhooks. */
import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import { organizationOf } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { itemOf } from './step.ts';

const maxWebhooks = 100;
const dayMs = 24 * 3_600_000;

/** An organization's stored count of webhooks is correct, and at most 100. */
export const countedWebhooks: StepRule = {
  rule: 'webhooks are counted',
  start: (report) => (step) => {
    const more = new Map<string, number>();
    const add = (organizationId: string, number: number) =>
      more.set(organizationId, (more.get(organizationId) ?? 0) + number);
    for (const change of step.of('webhook'))
      add(organizationOf(itemOf(change)), (change.after ? 1 : 0) - (change.before ? 1 : 0));
    for (const change of step.of('webhooks')) {
      const { before, after } = change;
      add(organizationOf(itemOf(change)), (before?.webhooks ?? 0) - (after?.webhooks ?? 0));
      if (!(after && after.webhooks >= 0 && after.webhooks <= maxWebhooks))
        report(`${after?.pk} has ${after?.webhooks}`);
    }
    for (const [organizationId, number] of more)
      if (number !== 0) report(`${organizationId}: ${number} more webhooks than counted`);
  },
};

const fixed = ['organization_id', 'webhook_id', 'date_created', 'data_key'];

/** A replaced secret stays valid for 24 hours, beside up to two older ones, unless an operator drops it. */
export const replacedSecrets: StepRule = {
  rule: 'a replaced secret stays valid for 24 hours',
  start:
    (report, { clockErrorMs, requestMs }) =>
    ({ of, at }) => {
      const early = at - requestMs - clockErrorMs;
      for (const { before, after } of of('webhook')) {
        if (!after) continue;
        const kept = keptSecrets(before, at + clockErrorMs);
        if (!before) {
          if (after.version !== 1 || after.previous.length > 0)
            report(`${after.sk} is new, but has a version or former secrets`);
          continue;
        }
        if (after.version !== before.version + 1 || !fixed.every((field) => after[field] === before[field]))
          report(`${after.sk} follows version ${before.version} with ${after.version}`);
        const [newest, ...older] = after.previous;
        if (after.secret === before.secret) {
          const isDropped = after.previous.length === 0;
          if (!isDropped && !isSame(after.previous, before.previous))
            report(`${after.sk} changes its former secrets`);
          continue;
        }
        const until = newest?.until - dayMs;
        if (newest?.secret !== before.secret || !(until >= early && until <= at + clockErrorMs))
          report(`${after.sk} keeps its old secret until ${newest?.until}, replaced at ${at}`);
        const known = older.every((one: object) =>
          before.previous.some((other: object) => isSame(one, other)),
        );
        if (!known || older.length < Math.min(2, kept))
          report(`${after.sk} keeps ${older.length} older secrets`);
      }
    },
};

/** Returns the number of a webhook's former secrets that are still valid at a time. */
const keptSecrets = (webhook: StoredItem | undefined, at: number): number =>
  (webhook?.previous ?? []).filter(({ until }: { until: number }) => until > at).length;

export const registrationRules = [countedWebhooks, replacedSecrets];
