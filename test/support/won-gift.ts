import type { Api } from './api.ts';
import { prizeOf } from './prize.ts';
import { putPrizeTable } from './put-prize-table.ts';
import { testContext } from './test-context.ts';

/** Returns the id of a gift that a user has just won with a free spin of the flight. */
export async function wonGift(api: Api, user: string): Promise<string> {
  await putPrizeTable(api.organizationId, 'flight', [prizeOf('prize_imt', 1, 1)], testContext());
  const free = { num_of_spins: 1, game: 'flight', idempotency_key: 'gift' };
  return (await api.post(`/users/guest/${user}/game/play`, free)).body.items[0].id;
}
