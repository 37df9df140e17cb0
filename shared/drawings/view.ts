import type { User } from '../accounts/user.ts';
import { getAll } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
import type { Drawing } from './drawings.ts';
import { claimBy } from './terms.ts';

/** Returns drawings as the API shows them. References are those of the users now. */
export async function viewsOf(drawings: readonly Drawing[]) {
  const keys = drawings.flatMap(({ organization_id, drawn }) =>
    drawn.map(({ user_id }) => userKey(organization_id, user_id)),
  );
  const users = await getAll([...new Map(keys.map((key) => [key.pk, key])).values()]);
  const references = new Map(
    (users as (User | undefined)[]).map((user) => [user?.user_id, user?.external_reference ?? '']),
  );
  return drawings.map(({ terms, state, list, drawn }) => ({
    ...terms,
    state,
    is_test: terms.is_test ?? false,
    entrants: list?.entrants ?? null,
    total_entries: list?.total_entries ?? null,
    root: list?.root ?? null,
    winners: drawn.map(({ place, user_id, won_at, forfeited }) => ({
      place,
      user_id,
      external_reference: references.get(user_id) ?? '',
      claim_by: claimBy(terms, won_at),
      claim_state: forfeited === undefined ? ('open' as const) : ('forfeited' as const),
    })),
  }));
}
