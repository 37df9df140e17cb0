/** Derives fields from an item's key, so that the table need not store them. */
import { idOf, isUlid, timeOfUlid } from '../ids.ts';
import { entryTypes } from '../vocabulary.ts';
import { formatInstant } from './instants.ts';
import { sortKeyPrefixes } from './keys.ts';

type Fields = Record<string, unknown>;
type ImpliedFields = (organization_id: string, user_id: string, ulid: string) => Fields;

const timeIn = (ulid: string) => formatInstant(timeOfUlid(ulid));
const recordFields =
  (kind: string, idField: string, prefix: Parameters<typeof idOf>[0]): ImpliedFields =>
  (organization_id, user_id, ulid) => ({
    kind,
    [idField]: idOf(prefix, ulid),
    organization_id,
    user_id,
    date_created: timeIn(ulid),
  });
const postingFields = recordFields('tickets', 'transaction_id', 'txn');
const outcomeFields: ImpliedFields = (organization_id, user_id, ulid) => {
  const date_created = timeIn(ulid);
  const id = idOf('out', ulid);
  return { kind: 'outcomes', id, timestamp: date_created, organization_id, user_id, date_created };
};

/** Implied fields of a user's records, by the part of the sort key before the ULID. */
const ofUser = new Map<string, ImpliedFields>([
  [sortKeyPrefixes.tickets, postingFields],
  ...entryTypes.map((entry_type): [string, ImpliedFields] => [
    sortKeyPrefixes[`entries#${entry_type}`],
    (...args) => ({ ...postingFields(...args), kind: 'entries', entry_type }),
  ]),
  [sortKeyPrefixes.outcomes, outcomeFields],
  [sortKeyPrefixes.orders, recordFields('orders', 'order_id', 'ord')],
  [sortKeyPrefixes.claims, recordFields('claims', 'claim_id', 'clm')],
]);

export function fieldsImpliedByKey({ pk, sk }: Fields): Fields | undefined {
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
