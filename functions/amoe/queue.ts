import { spinRequestOf } from '../../shared/amoe/place-order.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

export const handler = endpoint(amoeRoutes['amoe/queue'], async (request) => {
  const { reply: queued, replayed } = await queueSpins(spinRequestOf(request));
  return reply(queued, { replayed });
});
