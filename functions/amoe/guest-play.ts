import { playGuestSpins } from '../../shared/amoe/guest-spins.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { amoeRoutes } from '../../shared/api/routes/amoe.ts';

/** A repeated request gets the outcomes of the same spins. */
export const handler = endpoint(
  amoeRoutes['amoe/guest-play'],
  async ({ organizationId, path, body, suspended, now }) => {
    const { reply: items, replayed } = await playGuestSpins({
      organizationId,
      userId: path.user_id,
      asked: body,
      suspended,
      now,
    });
    return reply({ items }, { replayed });
  },
);
