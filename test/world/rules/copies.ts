/** Rules of the copies that an organization has of what its spins read. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredItem } from '../journal.ts';
import type { StepRule } from './rule.ts';
import { itemOf } from './step.ts';
import { organizationOf } from './stored.ts';

const originalOf = ({ pk }: StoredItem) => pk.replace(/^(ORG#[^#]+|CASH#[^#]+#[^#]+)(#\d+)?$/, '$1');
const saysMore = new Set(['pk', 'sk', 'byTimePk', 'byTimeSk', 'name', 'date_created', 'token_secret']);
const isOfCopies = (name: string) =>
  !saysMore.has(name) && name !== 'live_keys' && !/^(last_)?operation/.test(name);
const said = (item: StoredItem) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => isOfCopies(name)));

/** How many copies of an item there have to be, of the original too: those of a day's cash begin with a day. */
function countOf({ pk }: StoredItem, organization: StoredItem | undefined): number {
  const [count = 1, before = 1, from = ''] = String(organization?.copies ?? '1 1').split(' ');
  const [kind, , day = ''] = pk.split('#');
  return Number(kind === 'CASH' && day < from ? before : count);
}

/** Whatever is written, each copy says what its original says. */
const copiesAgree: StepRule = {
  rule: 'copies say what their original says',
  start(say) {
    const items = new Map<string, StoredItem>();
    return (step) => {
      const types = ['organization', 'organization copy', 'cash', 'cash copy'] as const;
      const changes = types.flatMap((type) => step.of(type));
      for (const { after } of changes) if (after) items.set(after.pk, after);
      for (const pk of new Set(changes.map((change) => originalOf(itemOf(change))))) {
        const original = items.get(pk);
        if (!original) {
          say(`there are copies of ${pk}, and no original`);
          continue;
        }
        const count = countOf(original, items.get(`ORG#${organizationOf(original)}`));
        for (let copy = 1; copy < count; copy++) {
          const found = items.get(`${pk}#${copy}`);
          if (!found || !isDeepStrictEqual(said(found), said(original))) {
            say(`${pk}#${copy} says ${JSON.stringify(found && said(found))}`);
          }
        }
        if (items.has(`${pk}#${count}`)) say(`${pk} has more than ${count} copies`);
      }
    };
  },
};

export const copyRules = [copiesAgree];
