import { playGuestSpins } from '../../shared/amoe/guest-spins.ts';
import { spinRequestOf } from '../../shared/amoe/place-order.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

export const handler = endpoint(amoeRoutes['amoe/guest-play'], async (request) => {
  const { reply: items, replayed } = await playGuestSpins(spinRequestOf(request));
  return reply({ items }, { replayed });
});
