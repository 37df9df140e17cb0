/** Rules about entries that drawings use up. */
import { entryTypes } from '../../../shared/vocabulary.ts';
import type { StoredItem } from '../journal.ts';
import { dayAfter, startOf, timeIn, ulidIn } from './days-and-ulids.ts';
import { shortId } from './item-types.ts';
import type { StepRule } from './rule.ts';

const isHolder = (user: StoredItem | undefined, type: string): boolean =>
  user !== undefined && user.balances[type] > 0 && user.erased_at === undefined;

const holders: StepRule = {
  rule: 'a user has an item as a holder exactly while having entries',
  start: (report) => (step) => {
    const changed = step
      .of('holder')
      .map(({ before, after }) => `${(after ?? before)!.pk}${(after ?? before)!.sk}${!before}`);
    for (const { pk, user } of step.users)
      for (const type of entryTypes) {
        const [was, is] = [isHolder(user?.before, type), isHolder(user?.after, type)];
        const [, organization, id] = pk.split('#');
        const moved = changed.filter((one) => one.includes(`#${organization}#${type}#`) && one.includes(id!));
        if (moved.length !== Number(was !== is) || (moved[0] && !moved[0].endsWith(String(is))))
          report(`${pk} goes from ${was} to ${is} as a holder of ${type} entries, but its item does not`);
      }
  },
};

const usedUpOnce: StepRule = {
  rule: 'a drawing uses up the entries of midnight, or what is left of them, once',
  start: (report) => {
    const terms = new Map<string, StoredItem>();
    const used = new Map<string, number>();
    /** Times and balances after each record, by user and type of entries. */
    const balances = new Map<string, [number, number][]>();
    return (step) => {
      for (const { after } of step.of('drawing')) if (after) terms.set(after.terms.drawing_id, after.terms);
      for (const { records } of step.users)
        for (const {
          kind,
          user_id,
          entry_type,
          amount,
          balance_after,
          drawing_id,
          transaction_id,
        } of records) {
          if (kind !== 'entries') continue;
          const of = `${user_id} ${entry_type}`;
          const before = balances.get(of) ?? [];
          if (drawing_id !== undefined) {
            const name = `${drawing_id} ${user_id}`;
            const { closes, is_test } = terms.get(drawing_id)!;
            const midnight = startOf(dayAfter(closes));
            const last = before.findLast(([at]) => is_test || at < midnight)?.[1] ?? 0;
            const expected = amount > 0 ? (used.get(name) ?? 0) : Math.min(last, before.at(-1)?.[1] ?? 0);
            if (Math.abs(amount) !== expected || used.has(name) === amount < 0)
              report(`${transaction_id} moves ${amount} entries of ${name}; ${expected} count`);
            if (amount < 0) used.set(name, -amount);
            else used.delete(name);
            const lines = step
              .of('entrant')
              .filter(({ before, after }) => (after ?? before)!.sk === shortId(user_id));
            if (lines.length !== 1 || (lines[0]!.after?.entries ?? -1) !== (amount < 0 ? -amount : -1))
              report(`${transaction_id} has no line in the list`);
          }
          balances.set(of, [...before, [timeIn(ulidIn(transaction_id)), balance_after]]);
        }
    };
  },
};

export const drawingRules = [holders, usedUpOnce];
