/** Rules of the day's cash. */
import type { StepRule } from './rule.ts';
import { availableAt, cashShareOf, type Organization } from './settings.ts';
import { itemOf, outcomesOf, type Step } from './step.ts';
import { cashWon, organizationOf } from './stored.ts';
import { daysBetween, timeIn, ulidIn } from './true-time.ts';

/** What each organization's days were granted in a step. */
const grantsOf = (step: Step) =>
  step.of('cash').map((change) => ({
    organizationId: organizationOf(itemOf(change)),
    day: itemOf(change).pk.split('#')[2]!,
    chain: Number(itemOf(change).pk.split('#')[3]),
    usd: (change.after?.granted_usd ?? 0) - (change.before?.granted_usd ?? 0),
    granted: change.after?.granted_usd ?? 0,
  }));

/**
 * The cash that outcomes win is granted with them, and no other, of the day in New York at which they ran: the day of
 * the request, which is that of the outcome's id or, if that request took its time over midnight, the one before. A
 * debug jackpot is outside of the day's cash.
 */
export const grantedIfWon: StepRule = {
  rule: 'cash that is granted was won',
  start:
    (say, { clockErrorMs, requestMs }) =>
    (step) => {
      const won = new Map<string, number>();
      const days = new Set<string>();
      for (const { outcome } of outcomesOf(step)) {
        const { organization_id } = outcome;
        won.set(organization_id, (won.get(organization_id) ?? 0) + cashWon(outcome));
        const time = timeIn(ulidIn(outcome.id));
        for (const day of daysBetween(time - requestMs - clockErrorMs, time)) days.add(day);
      }
      for (const { organizationId, day, usd } of grantsOf(step)) {
        if (usd < 0) say(`${organizationId} is granted ${usd} on ${day}`);
        if (usd !== 0 && !days.has(day)) say(`${organizationId} is granted cash of ${day} for ${[...days]}`);
        won.set(organizationId, (won.get(organizationId) ?? 0) - usd);
      }
      for (const [organizationId, usd] of won)
        if (usd !== 0) say(`${organizationId}: ${usd} more are won than granted, by ${step.by}`);
    },
};

/**
 * Whenever cash is granted, all of its day and chain is within its share of the limit that is in force at that moment, and
 * of that within what the hours make available, if it is paced.
 */
export const withinLimit: StepRule = {
  rule: 'cash of a day stays within its limit',
  start(say, { clockErrorMs }) {
    const organizations = new Map<string, Organization>();
    return (step) => {
      for (const { organizationId, day, chain, usd, granted } of grantsOf(step)) {
        const organization = organizations.get(organizationId);
        const share = cashShareOf(organization, day, chain);
        const limit = availableAt(organization, share, day, step.at + clockErrorMs);
        if (usd > 0 && granted > limit) say(`${organizationId} is granted ${granted} of ${limit} on ${day}`);
      }
      for (const { after } of step.of('organization'))
        if (after) organizations.set(organizationOf(after), after);
    };
  },
};

/** The grants of a day are numbered: their number rises by one with each outcome that wins cash of it. */
export const numbered: StepRule = {
  rule: 'grants of cash are numbered',
  start: (say) => (step) => {
    const wins = outcomesOf(step).filter(({ outcome }) => cashWon(outcome) > 0 && outcome.cash_day);
    for (const change of step.of('cash')) {
      const { before, after } = change;
      const mine = wins.filter(({ outcome }) => outcome.organization_id === organizationOf(itemOf(change)));
      const raised = (after?.grants ?? 0) - (before?.grants ?? 0);
      if (raised !== mine.length) say(`${itemOf(change).pk} has ${raised} more grants for ${mine.length}`);
    }
  },
};

export const cashRules = [grantedIfWon, withinLimit, numbered];
