import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

/**
 * Date from which this endpoint is deprecated, 2026-01-01 UTC, in the format of the `Deprecation` header (RFC
 * 9745).
 */
const deprecation = '@1767225600';

/** Queues a guest's free spins for the next midnight in New York. Deprecated in favor of `guest-play`. */
export const handler = endpoint(
  amoeRoutes['amoe/guest-queue'],
  async ({ organizationId, path, body, suspended, now, baseUrl }) => {
    const { reply: queued, replayed } = await queueSpins({
      organizationId,
      userId: path.user_id,
      asked: body,
      suspended,
      now,
    });
    const successor = baseUrl + pathTo(amoeRoutes['amoe/guest-play'], path);
    const headers = { deprecation, link: `<${successor}>; rel="successor-version"` };
    return reply(queued, { replayed, headers });
  },
);
