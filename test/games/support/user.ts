import type { User } from '../../../shared/accounts/user.ts';
import { userKey } from '../../../shared/table/keys.ts';

/** Returns a user in stored form, for tests of pure functions. */
export function newUser(balances: Partial<User['balances']> = {}): User {
  const ids = {
    organization_id: 'org_01KAF3Z1MWXQ2T6V9B4N8D7C5E',
    user_id: 'usr_01KAF3Z1MWXQ2T6V9B4N8D7C5E',
  };
  return {
    ...userKey(ids.organization_id, ids.user_id),
    ...ids,
    external_reference: 'someone',
    date_created: '2026-01-01T00:00:00.000Z',
    balances: { tickets: 0, truck: 0, flight: 0, ...balances },
    queued_spins: 0,
    plays: { day: '', count: 0 },
    version: 1,
    sequence: 0,
    last_hash: '',
  };
}
