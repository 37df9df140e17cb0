/** Rules that limit which fields of an item may change, and when an item may be deleted. */
import type { StoredItem } from '../journal.ts';
import { erasedFields } from './erasures.ts';
import { isSame } from './hashes.ts';
import type { ItemType } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { type Change, itemOf } from './step.ts';

/** The fields that may change, by item type. In types that are not listed, all fields may change. */
const mutableFields: Partial<Record<ItemType, string[]>> = {
  record: [],
  operation: [],
  book: [],
  tile: [],
  milestone: [],
  idempotency: [],
  call: [],
  round: [],
  'prize table': ['date_created'],
  due: ['remaining'],
  session: ['played', 'voided', 'ttl'],
  'api key': ['revoked_at', 'suspended'],
};

/** Fields whose value never changes after the write that sets the field. */
const writeOnceFields = ['played', 'revoked_at', 'token_secret', 'data_key'];

function without(item: StoredItem, fields: string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));
}

/**
 * Only `mutableFields` and erased texts change. Fields in `writeOnceFields` never change after they are set.
 */
export const immutable: StepRule = {
  rule: 'immutable items never change',
  start: (report) => (step) => {
    for (const { type, change } of step.all) {
      const { before, after } = change;
      if (!before || !after) continue;
      const free = mutableFields[type];
      const isErased = !step.by.includes('/') && step.by !== 'ttl' && erasedFields(before, after);
      const kept = !free || isErased || isSame(without(before, free), without(after, free));
      const once = writeOnceFields.every(
        (name) => before[name] === undefined || isSame(before[name], after[name]),
      );
      const stays = type !== 'invocation' || !before.queued || after.queued;
      if (!kept || !once || !stays) report(`${after.pk} ${after.sk} is changed by ${step.by}`);
    }
  },
};

const withTtl: ItemType[] = ['session', 'call', 'invocation', 'pace', 'follower', 'active report'];
const dayMs = 24 * 3_600_000;

/** Minimum time for which the contract promises to keep an item, in milliseconds from its write. */
const keptMs: Partial<Record<ItemType, number>> = { call: 90 * dayMs, invocation: dayMs };

/** An item is deleted only after its TTL, or by the functions in `mayVanish` for its type. */
export const deletions: StepRule = {
  rule: 'nothing is deleted too early',
  start:
    (report, { requestMs }) =>
    (step) => {
      for (const { type, change } of step.all) {
        const { pk, sk, ttl } = itemOf(change);
        const kept = keptMs[type];
        if (!change.after && !mayVanish(type, change, step.by, step.at))
          report(`${pk} ${sk} is deleted by ${step.by}`);
        if (change.after && !withTtl.includes(type) && ttl !== undefined) report(`${pk} ${sk} has a TTL`);
        if (change.after && kept && change.before?.ttl !== ttl && !(ttl * 1000 >= step.at - requestMs + kept))
          report(`${pk} ${sk} expires at ${ttl}`);
      }
    },
};

const spinning = ['amoe/guest-play', 'events/run-spins', 'an operator'];

function mayVanish(type: ItemType, { before }: Change, by: string, at: number): boolean {
  if (by === 'ttl') return withTtl.includes(type) && before?.ttl * 1000 <= at;
  return (
    (type === 'due' && spinning.includes(by.includes('/') ? by : 'an operator')) ||
    // A command that rebuilds a row index deletes the items of the old index.
    ((type === 'day counts' || type === 'block') && !by.includes('/')) ||
    (type === 'reference' && (by === 'users/update' || !by.includes('/'))) ||
    (type === 'webhook' && by === 'webhooks/delete')
  );
}

export const immutabilityRules = [immutable, deletions];
