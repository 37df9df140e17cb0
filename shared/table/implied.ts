/** What the key of an item says of it, so that the stored item need not. */
import { idOf, isUlid, timeOfUlid } from '../ids.ts';
import { entryTypes } from '../vocabulary.ts';
import { instantAt } from './instants.ts';
import { sortPrefix } from './keys.ts';

type Fields = Record<string, unknown>;
/** What a partition and a ULID in a sort key say. */
type Said = (organization_id: string, user_id: string, ulid: string) => Fields;

const timeIn = (ulid: string) => instantAt(timeOfUlid(ulid));
const posted: Said = (organization_id, user_id, ulid) => ({
  kind: 'tickets',
  transaction_id: idOf('txn', ulid),
  organization_id,
  user_id,
  date_created: timeIn(ulid),
});
const drawn: Said = (organization_id, user_id, ulid) => {
  const date_created = timeIn(ulid);
  const id = idOf('out', ulid);
  return { kind: 'outcomes', id, timestamp: date_created, organization_id, user_id, date_created };
};
const ordered: Said = (organization_id, user_id, ulid) => ({
  kind: 'orders',
  order_id: idOf('ord', ulid),
  organization_id,
  user_id,
  date_created: timeIn(ulid),
});

/** What is said of a user's item, by what its sort key begins with; it ends with a ULID. */
const ofUser = new Map<string, Said>([
  [sortPrefix.tickets, posted],
  ...entryTypes.map((entry_type): [string, Said] => [
    sortPrefix[`entries#${entry_type}`],
    (...of) => ({ ...posted(...of), kind: 'entries', entry_type }),
  ]),
  [sortPrefix.outcomes, drawn],
  [sortPrefix.orders, ordered],
]);

/** The fields that follow from an item's key, in a new object; none if the key was not read, or says nothing. */
export function impliedBy({ pk, sk }: Fields): Fields | undefined {
  if (typeof pk !== 'string' || typeof sk !== 'string') return undefined;
  const ulid = sk.slice(-26);
  if (pk.startsWith('USER#')) {
    const [, organization, user = ''] = pk.split('#');
    const ids = [`org_${organization}`, `usr_${user}`] as const;
    if (sk === 'USER' && isUlid(user))
      return { organization_id: ids[0], user_id: ids[1], date_created: timeIn(user) };
    return isUlid(ulid) ? ofUser.get(sk.slice(0, -26))?.(...ids, ulid) : undefined;
  }
  if (pk.startsWith('CALLS#') && isUlid(sk))
    return { organization_id: `org_${pk.split('#')[1]}`, timestamp: timeIn(sk) };
  return undefined;
}
