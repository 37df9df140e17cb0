import { playGuestSpins } from '../../shared/amoe/guest-spins.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

/** Runs a guest's free spins immediately, once for each idempotency key. */
export const handler = endpoint(
  amoeRoutes['amoe/guest-play'],
  async ({ organizationId, path, body, now }) => {
    const { reply: items, replayed } = await playGuestSpins({
      organizationId,
      userId: path.user_id,
      asked: body,
      now,
    });
    return reply({ items }, { replayed });
  },
);
