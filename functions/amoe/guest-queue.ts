import { spinRequestOf } from '../../shared/amoe/place-order.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

/** The start of 2026 (UTC), in the format of the `Deprecation` header (RFC 9745). */
const deprecation = '@1767225600';

export const handler = endpoint(amoeRoutes['amoe/guest-queue'], async (request) => {
  const { reply: queued, replayed } = await queueSpins(spinRequestOf(request));
  const successor = request.baseUrl + pathTo(amoeRoutes['amoe/guest-play'], request.path);
  const headers = { deprecation, link: `<${successor}>; rel="successor-version"` };
  return reply(queued, { replayed, headers });
});
