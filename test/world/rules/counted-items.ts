/** Rules that an organization's stored numbers of API keys and webhooks are correct, and within their limits. */
import type { StoredItem } from '../journal.ts';
import { type ItemType, organizationOf } from './item-types.ts';
import type { StepRule } from './rule.ts';

type Counted = {
  rule: string;
  counted: { type: ItemType; isCounted: (item: StoredItem) => boolean };
  counter: { type: ItemType; field: string; most: number };
};

/**
 * Creates the rule that each write changes a counter by the number of items that the write adds, minus those it
 * deletes.
 */
const counterRule = ({ rule, counted, counter: { type, field, most } }: Counted): StepRule => ({
  rule,
  start: (report) => (step) => {
    const uncounted = new Map<string, number>();
    const add = (organizationId: string, number: number) =>
      uncounted.set(organizationId, (uncounted.get(organizationId) ?? 0) + number);
    const addItem = (item: StoredItem | undefined, number: number) => {
      if (item && counted.isCounted(item)) add(organizationOf(item), number);
    };
    for (const { before, after } of step.of(counted.type)) {
      addItem(before, -1);
      addItem(after, 1);
    }
    for (const { before, after } of step.of(type)) {
      const number = after?.[field];
      if (!(number >= 0 && number <= most)) report(`${(after ?? before)!.pk} has ${number} ${field}`);
      add(organizationOf((after ?? before)!), (before?.[field] ?? 0) - (number ?? 0));
    }
    for (const [organizationId, number] of uncounted)
      if (number !== 0) report(`${organizationId}: ${number} more than counted`);
  },
});

export const countRules = [
  counterRule({
    rule: 'an organization has at most two live keys and counts them',
    counted: { type: 'api key', isCounted: (key) => !('revoked_at' in key) },
    counter: { type: 'organization', field: 'live_keys', most: 2 },
  }),
  counterRule({
    rule: 'webhooks are counted',
    counted: { type: 'webhook', isCounted: () => true },
    counter: { type: 'webhooks', field: 'webhooks', most: 100 },
  }),
];
