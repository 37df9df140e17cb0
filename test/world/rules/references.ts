/** Rules of external references, by which hosts find their users. */
import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import type { StepRule } from './rule.ts';
import { type Change, itemOf, type Step } from './step.ts';

const keyOf = ({ organization_id, external_reference }: StoredItem) =>
  `REF#${organization_id}#${external_reference}`;

/** Returns whether the item of an external reference has the id, reference and creation time of the user. */
export const belongsTo = (reference: StoredItem, user: StoredItem): boolean =>
  reference.pk === keyOf(user) &&
  reference.user_id === user.user_id &&
  reference.external_reference === user.external_reference &&
  reference.date_created === user.date_created;

/**
 * A user's reference changes together with the reference's item. A write never takes another user's
 * reference.
 */
export const atomicMoves: StepRule = {
  rule: 'a reference belongs to one user and moves atomically',
  start: (report) => (step) => {
    const explained = new Set<Change>();
    for (const { pk, user } of step.users) {
      if (!user?.after) continue;
      const { before, after } = user;
      if (before && after.erased_at && !before.erased_at) {
        const given = mine(step, before).find((change) => !change.after);
        if (given) explained.add(given);
        else report(`${pk} is erased, but keeps its reference`);
        continue;
      }
      if (before && before.external_reference === after.external_reference) {
        if (isSame(before, after))
          for (const change of mine(step, after).filter((one) => isRepeated(one, after)))
            explained.add(change);
        continue;
      }
      if (after.erased_at) {
        if (after.external_reference !== '')
          report(`${pk} is erased, but gets the reference ${after.external_reference}`);
        continue;
      }
      const taken = mine(step, after).find(({ after: item }) => item && belongsTo(item, after));
      if (!taken) report(`${pk} changes its reference without the item of ${after.external_reference}`);
      else explained.add(taken);
      if (taken?.before && taken.before.user_id !== after.user_id)
        report(`${pk} takes ${after.external_reference} from ${taken.before.user_id}`);
      if (!before) continue;
      const given = mine(step, before).find((change) => !change.after);
      if (!given) report(`${pk} does not release ${before.external_reference}`);
      else explained.add(given);
    }
    for (const change of step.of('reference'))
      if (!explained.has(change)) report(`${itemOf(change).pk} changes without its user`);
  },
};

/** Returns whether a retry of the user's creation wrote the user's reference again. */
const isRepeated = ({ before, after }: Change, user: StoredItem) =>
  before?.user_id === user.user_id && after !== undefined && belongsTo(after, user);

const mine = (step: Step, user: StoredItem) =>
  step.of('reference').filter((change) => itemOf(change).pk === keyOf(user));

export const referenceRules = [atomicMoves];
