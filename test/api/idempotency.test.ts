import { beforeAll, expect, test } from 'vitest';
import { pathTo, type Route } from '../../shared/api/route.ts';
import { routes } from '../../shared/api/routes.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError } from '../support/expectations.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

/** For each field of a request with an idempotency key: a value, and other values. `undefined` leaves out the field. */
const valuesOf: Record<string, [unknown, ...unknown[]]> = {
  amount: [1, 2],
  description: ['A gift', 'a gift', undefined],
  type: ['flight', 'truck', undefined],
  num_of_spins: [1, 2],
  game: ['truck', 'flight', undefined],
  result_effective_date: ['2026-01-05', '2026-01-06', undefined],
};
const fieldsOf = (route: Route) => Object.keys(route.schemas().body?.shape ?? {});
const keyed = (Object.values(routes) as Route[])
  .filter((route) => fieldsOf(route).includes('idempotency_key'))
  .map((route) => ({ route, fields: fieldsOf(route).filter((field) => field !== 'idempotency_key') }));

/** Creates a user with enough of everything for each debit. */
async function userWithBalances(): Promise<string> {
  const user = await api.user(9);
  for (const type of ['truck', 'flight'])
    await api.post(`/users/${user}/entries/credit`, { amount: 9, type, idempotency_key: `start ${type}` });
  return user;
}

test.each(keyed)('$route.name refuses a used key with any other field', async ({ route, fields }) => {
  const [user_id, other] = [await userWithBalances(), await userWithBalances()];
  const body = Object.fromEntries(fields.map((field) => [field, valuesOf[field]![0]]));
  const send = (more: object = {}, user = user_id) =>
    api.post(pathTo(route, { user_id: user }), { ...body, idempotency_key: 'k', ...more });
  const first = await send();
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
  for (const field of fields)
    for (const value of valuesOf[field]!.slice(1))
      expectError(
        await send({ [field]: value }),
        422,
        'idempotency_key_reused',
        'idempotency_key already used with different parameters',
      );
  const again = await send();
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  const ofOther = await send({}, other);
  expect([ofOther.status, ofOther.headers.get('idempotent-replayed')]).toEqual([200, null]);
});
