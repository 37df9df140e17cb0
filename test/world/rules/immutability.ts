/** Rules that limit which fields of an item may change, and when an item may be deleted. */
import { lifetimes } from '../../infra/deploy/manifest.ts';
import type { StoredItem } from '../journal.ts';
import { erasedFields } from './erasures.ts';
import { isSame } from './hashes.ts';
import { type ItemType, typeOf } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { type Change, itemOf } from './step.ts';

/** The fields that may change, by item type. In types that are not listed, all fields may change. */
const mutableFields: Partial<Record<ItemType, string[]>> = {
  record: [],
  action: [],
  book: ['timestamp'],
  tile: [],
  milestone: [],
  idempotency: [],
  call: [],
  'prize table': ['date_created'],
  due: ['remaining'],
  session: ['played', 'voided', 'ttl'],
  'api key': ['revoked_at', 'suspended'],
};

/** Fields whose value never changes after the write that sets the field. */
const writeOnceFields = ['played', 'revoked_at', 'token_secret', 'data_key', 'timestamp'];

function without(item: StoredItem, fields: string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));
}

/**
 * Only `mutableFields` and erased texts change. Fields in `writeOnceFields` never change after they are set. A queued
 * invocation stays queued.
 */
export const immutable: StepRule = {
  rule: 'immutable items never change',
  start: (report) => (step) => {
    for (const { type, change } of step.all) {
      const { before, after } = change;
      if (!before || !after) continue;
      const free = mutableFields[type];
      const isErased = !step.writer.includes('/') && step.writer !== 'ttl' && erasedFields(before, after);
      const kept = !free || isErased || isSame(without(before, free), without(after, free));
      const once = writeOnceFields.every(
        (name) => before[name] === undefined || isSame(before[name], after[name]),
      );
      const stays = type !== 'invocation' || !before.queued || after.queued;
      if (!kept || !once || !stays) report(`${after.pk} ${after.sk} is changed by ${step.writer}`);
    }
  },
};

/** Returns the key in `lifetimes` (`test/infra/deploy/manifest.ts`) that applies to an item. */
export const lifetimeNameOf = (item: StoredItem): string => {
  const type = typeOf(item);
  return type === 'session' ? (item.played ? 'played session' : 'unplayed session') : type;
};

/** Items are deleted only after their TTL or by functions in `mayVanish`. New TTLs match `lifetimes`. */
export const deletions: StepRule = {
  rule: 'nothing is deleted too early',
  start:
    (report, { requestMs, clockErrorMs }) =>
    (step) => {
      for (const { type, change } of step.all) {
        const { before, after } = change;
        const { pk, sk } = itemOf(change);
        if (!after && !mayVanish(type, change, step.writer, step.at))
          report(`${pk} ${sk} is deleted by ${step.writer}`);
        if (!after || (before && before.ttl === after.ttl)) continue;
        const lifetime = lifetimes[lifetimeNameOf(after)];
        // Tolerates that the TTL is rounded to seconds, and that the function reads its skewed clock before the write.
        const extraMs = after.ttl * 1000 - step.at - (lifetime?.seconds ?? 0) * 1000;
        const isKept = extraMs >= -requestMs && extraMs <= clockErrorMs + 1000;
        if (lifetime ? !isKept : after.ttl !== undefined) report(`${pk} ${sk} expires at ${after.ttl}`);
      }
    },
};

const spinning = ['amoe/guest-play', 'workers/run-spins', 'an operator'];

function mayVanish(type: ItemType, { before }: Change, writer: string, at: number): boolean {
  if (writer === 'ttl') return before?.ttl * 1000 <= at;
  return (
    // `drawings.ts` checks each of these.
    type === 'holder' ||
    type === 'entrant' ||
    (type === 'due' && spinning.includes(writer.includes('/') ? writer : 'an operator')) ||
    // A command that rebuilds a row index deletes the items of the old index.
    ((type === 'day counts' || type === 'block') && !writer.includes('/')) ||
    (type === 'reference' && (writer === 'users/update' || !writer.includes('/'))) ||
    (type === 'webhook' && writer === 'webhooks/delete')
  );
}

export const immutabilityRules = [immutable, deletions];
