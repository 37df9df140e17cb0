/** Rules of the copies that an organization has of what its spins read. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredItem } from '../journal.ts';
import type { StepRule } from './rule.ts';
import { chainsOn, countOn } from './settings.ts';
import { itemOf } from './step.ts';
import { organizationOf } from './stored.ts';

/** What an organization's item has, and its copies have not. */
const ofOriginal = new Set([
  'pk',
  'sk',
  'byTimePk',
  'byTimeSk',
  'name',
  'date_created',
  'token_secret',
  'live_keys',
  'operations',
  'last_operation',
  'operations_hash',
  'scheduled',
]);
const said = (item: StoredItem) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !ofOriginal.has(name)));

/** The original of an item and all of its copies that there have to be, by their partition keys. */
function group({ pk }: StoredItem, organization: StoredItem | undefined) {
  const [kind, organizationId, ...rest] = pk.split('#');
  // Copies are there at once, as those of a day's cash are on the last of days.
  const of = kind === 'ORG' ? '' : `#${rest.shift()}`;
  const day = kind === 'CASH' ? of.slice(1) : 'z';
  const chains = kind === 'CASH' ? chainsOn(organization, day) : 1;
  const each = Math.ceil(countOn(organization?.copies, day) / chains);
  const chain = Number(rest[0] ?? 0) % chains;
  const base = `${kind}#${organizationId}${of}`;
  const nameOf = (number: number) => (number === 0 ? base : `${base}#${number}`);
  const copies = Array.from({ length: each - 1 }, (_, copy) => nameOf(chain + (copy + 1) * chains));
  return { original: nameOf(chain), copies };
}

/** Whatever is written, each copy says what its original says, and there is no other. */
const copiesAgree: StepRule = {
  rule: 'copies say what their original says',
  start(say) {
    const items = new Map<string, StoredItem>();
    return (step) => {
      const types = [
        'organization',
        'organization copy',
        'cash',
        'cash copy',
        'stock',
        'stock copy',
      ] as const;
      const written = types.flatMap((type) => step.of(type).map(itemOf));
      for (const item of written) items.set(item.pk, item);
      for (const item of written) {
        const { original, copies } = group(item, items.get(`ORG#${organizationOf(item)}`));
        if (![original, ...copies].includes(item.pk)) say(`${item.pk} is no copy of ${original}`);
        const of = items.get(original);
        for (const pk of copies) {
          const copy = items.get(pk);
          if (!of || !copy || !isDeepStrictEqual(said(copy), said(of))) say(`${pk} is not as ${original}`);
        }
      }
    };
  },
};

export const copyRules = [copiesAgree];
