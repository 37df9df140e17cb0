/** Rules of holds: during a hold, no endpoint or spin run writes the affected items, unless it began earlier. */
import type { StoredItem } from '../journal.ts';
import { type ItemType, organizationOf } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { itemOf, outcomesOf, type Step } from './step.ts';

// Milliseconds for which the API gateway caches API keys, and so may admit a suspended organization's requests.
const gatewayMs = 60_000;

const isOperator = ({ writer }: Step) => !writer.includes('/');
const isEndpoint = ({ writer }: Step) => !isOperator({ writer } as Step) && !writer.startsWith('workers/');

/** Types of items that functions still write for a suspended organization: row indexes and active reports. */
const unaffectedByHolds = new Set<ItemType>(['index state', 'day counts', 'block', 'active report']);

/**
 * Tracks since when each named condition is true. `isOver` returns whether a condition has been true for more than `ms`
 * milliseconds.
 */
function trackSince() {
  const since = new Map<string, number>();
  return {
    track: (name: string, isTrue: boolean, at: number) => {
      if (!isTrue) since.delete(name);
      else if (!since.has(name)) since.set(name, at);
    },
    isOver: (name: string, at: number, ms: number) => at - (since.get(name) ?? Infinity) > ms,
  };
}

/** Endpoints and spin runs write nothing for a suspended organization, except shortly after the suspension begins. */
const suspended: StepRule = {
  rule: 'a suspended organization does not change',
  start(report, { requestMs }) {
    const { track, isOver } = trackSince();
    return (step) => {
      for (const { type, change } of step.all) {
        const item = itemOf(change);
        const isOf = isEndpoint(step) || step.writer === 'workers/run-spins';
        if (
          isOf &&
          !unaffectedByHolds.has(type) &&
          isOver(organizationOf(item), step.at, requestMs + gatewayMs)
        )
          report(`${item.pk} ${item.sk} is written by ${step.writer}`);
      }
      for (const { after } of step.of('organization'))
        if (after) track(organizationOf(after), after.suspended === true, step.at);
    };
  },
};

const words = ({ paused = '' }: StoredItem): string[] => String(paused).split(' ');

const neededBy = (version: string) => ['amoe', version.split('-')[0]!];

/** A paused game has no new plays or play URLs. Free spins need their game and `amoe` unpaused. */
const paused: StepRule = {
  rule: 'a paused game is not played',
  start(report, { requestMs }) {
    const { track, isOver } = trackSince();
    const isPaused = (organizationId: string, needed: string[], at: number) =>
      needed.some((one) => isOver(`${organizationId} ${one}`, at, requestMs));
    return (step) => {
      for (const { outcome } of outcomesOf(step)) {
        const needed = outcome.play_type === 'amoe' ? ['amoe', outcome.game] : [outcome.game];
        if (isPaused(outcome.organization_id, needed, step.at))
          report(`${outcome.id} needs ${needed}, which is paused`);
      }
      for (const { before, after } of step.of('session'))
        if (!before && after && isPaused(after.organization_id, [after.game], step.at))
          report(`${after.pk} is made for ${after.game}`);
      for (const { records } of step.users)
        for (const { kind, organization_id, order_id, prize_table_version } of records)
          if (kind === 'orders' && isPaused(organization_id, neededBy(prize_table_version), step.at))
            report(`${order_id} is ordered`);
      for (const { after } of step.of('organization')) {
        for (const one of ['amoe', 'prizewheel', 'truck', 'flight'])
          if (after) track(`${organizationOf(after)} ${one}`, words(after).includes(one), step.at);
      }
    };
  },
};

/**
 * Only operators write a frozen user's item, and drawings, in which a frozen user takes part. Requests that began
 * before the freeze may create play URLs.
 */
const frozen: StepRule = {
  rule: 'a frozen user does not change',
  start(report, { requestMs }) {
    const { track, isOver } = trackSince();
    return (step) => {
      for (const { before } of step.of('user'))
        if (before?.frozen && !isOperator(step) && step.writer !== 'workers/run-drawings')
          report(`${before.pk} is written by ${step.writer}`);
      for (const { before, after } of step.of('session'))
        if (!before && after && isOver(after.user_id, step.at, requestMs)) report(`${after.pk} is made`);
      for (const { after } of step.of('user'))
        if (after) track(after.user_id, after.frozen === true, step.at);
    };
  },
};

const voided: StepRule = {
  rule: 'a voided play URL is not played',
  start: (report) => (step) => {
    for (const { after } of step.of('session'))
      if (after?.voided && after.played) report(`${after.pk} is voided and played`);
  },
};

/** Each live API key of an organization has the same value of `suspended` as the organization. */
const suspensionInKeys: StepRule = {
  rule: 'a key knows whether its organization is suspended',
  start(report) {
    const keys = new Map<string, Map<string, boolean>>();
    const suspended = new Map<string, boolean>();
    return (step) => {
      const written = new Set<string>();
      for (const { after } of step.of('organization')) {
        if (!after) continue;
        suspended.set(organizationOf(after), after.suspended === true);
        written.add(organizationOf(after));
      }
      for (const { after } of step.of('api key')) {
        if (!after) continue;
        const mine = keys.get(after.organization_id) ?? new Map<string, boolean>();
        if (after.revoked_at) mine.delete(after.pk);
        else mine.set(after.pk, after.suspended === true);
        keys.set(after.organization_id, mine);
        written.add(after.organization_id);
      }
      for (const id of written)
        for (const [key, isSuspended] of keys.get(id) ?? [])
          if (isSuspended !== (suspended.get(id) ?? false)) report(`${key} has suspended=${isSuspended}`);
    };
  },
};

export const holdCommitRules = [suspended, paused, frozen, voided, suspensionInKeys];
