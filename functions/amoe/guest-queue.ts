import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

/** When hosts were told to move on, as RFC 9745 writes it: seconds after `@`. */
const deprecation = '@1767225600';

/** Queues a guest's spins for the next midnight; hosts should let them run at once instead. */
export const handler = endpoint(
  amoeRoutes['amoe/guest-queue'],
  async ({ organizationId, path, body, now, baseUrl }) => {
    const { reply: queued, replayed } = await queueSpins({
      organizationId,
      userId: path.user_id,
      asked: body,
      now,
    });
    const successor = baseUrl + pathTo(amoeRoutes['amoe/guest-play'], path);
    const headers = { deprecation, link: `<${successor}>; rel="successor-version"` };
    return reply(queued, { replayed, headers });
  },
);
