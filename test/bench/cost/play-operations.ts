/** Operations of the cost model for plays, from the play URL to the outcome, and for free spins. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readUser } from '../../../shared/accounts/user.ts';
import { createOrganization } from '../../../shared/actions/create-organization.ts';
import { dueItemOf } from '../../../shared/amoe/open-orders.ts';
import { placeOrder } from '../../../shared/amoe/place-order.ts';
import { createPlayUrl } from '../../../shared/games/plays.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { shardOf } from '../../../shared/shards.ts';
import { putItem, putItems } from '../../../shared/table/client.ts';
import { addDays, dayOf } from '../../../shared/time.ts';
import type { PrizeKind } from '../../../shared/vocabulary.ts';
import { promisedOn } from '../../support/promised.ts';
import { putPrizeTable } from '../../support/put-prize-table.ts';
import { makeUser } from '../../support/round-trips.ts';
import { testContext } from '../../support/test-context.ts';
import { request } from './host-operations.ts';
import type { Operation } from './measure.ts';

/** Creates an organization. If `wins` is given, nearly every play of the organization wins a prize of this kind. */
export async function organization(wins?: PrizeKind): Promise<string> {
  const { organization_id } = await createOrganization('Bench', 'local', testContext());
  if (wins) {
    const others = defaultPrizeTables.prizewheel.prizes.map((prize) => ({ ...prize, weight: 1 }));
    const wanted = others.findIndex(({ kind }) => kind === wins);
    const prizes = others.with(wanted, { ...others[wanted]!, weight: 1e9 });
    await putPrizeTable(organization_id, 'prizewheel', prizes, testContext());
  }
  return organization_id;
}

const user = async (organizationId: string, tickets: number) => ({
  path: { user_id: await makeUser(organizationId, tickets) },
});

async function playUrl(organizationId: string) {
  const userId = await makeUser(organizationId, 10);
  const game = 'prizewheel';
  const { token } = await createPlayUrl({ organizationId, userId, game, lang: 'en', now: Date.now() });
  return { path: { token } };
}

/** Returns the cost model's operations for a regular play: creating its URL, opening its page, and spinning. */
export async function playOperations(organizationId: string): Promise<Operation[]> {
  const spin = async (name: string, wins: PrizeKind) => {
    const winning = await organization(wins);
    return request(name, 'play/spin', winning, async () => ({
      ...(await playUrl(winning)),
      // The seed has 32 hex digits, like the client seed that a play page sends.
      body: { client_seed: randomBytes(16).toString('hex') },
    }));
  };
  return [
    request('a play URL', 'games/play', organizationId, () => user(organizationId, 1)),
    request('its page opened', 'play/open', organizationId, () => playUrl(organizationId)),
    await spin('a spin that wins tickets or entries', 'tickets'),
    await spin('a spin that wins cash', 'cash_usd'),
    await spin('a spin that wins what no balance shows', 'prize_money_transfer'),
  ];
}

const asked = (num_of_spins: number) => ({ num_of_spins, idempotency_key: randomUUID() });

/** Returns the cost model's operations for free spins. The spins draw from the default prize tables. */
export function freeSpinOperations(organizationId: string): Operation[] {
  return [
    request('free spins queued', 'amoe/queue', organizationId, async () => ({
      ...(await user(organizationId, 0)),
      body: asked(30),
    })),
    {
      name: 'a queued spin run, of 30',
      of: 'workers/run-spins',
      isRequest: false,
      per: 30,
      prepare: () => dueOrder(organizationId),
    },
    request(
      "a guest's spin, of 10",
      'amoe/guest-play',
      organizationId,
      async () => ({ ...(await user(organizationId, 0)), body: asked(10) }),
      { per: 10 },
    ),
  ];
}

/** Returns the SQS event with which a worker runs a new, due order of 30 free spins. */
async function dueOrder(organizationId: string) {
  const userId = await makeUser(organizationId);
  const now = Date.now();
  const day = dayOf(now);
  const before = await readUser(organizationId, userId);
  const promised = promisedOn(addDays(day, -1));
  const { user, order } = placeOrder(before, { organizationId, userId, asked: asked(30), now }, promised);
  await putItem(user);
  await putItems([order, dueItemOf(order, order.num_of_spins)]);
  const message = { organization_id: organizationId, shard: shardOf(userId), day };
  return { Records: [{ messageId: '1', body: JSON.stringify(message) }] };
}
