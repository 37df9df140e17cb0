import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { routes } from '../../shared/api/routes.ts';
import { createPlay } from '../../shared/games/plays.ts';

/** Generates a URL at which a user plays a game once, within 30 minutes. */
export const handler = endpoint(
  routes['games/play'],
  async ({ organizationId, path, body, now, baseUrl }) => {
    const { game, lang } = body;
    const { token, expiresAt } = await createPlay({ organizationId, userId: path.user_id, game, lang, now });
    return reply({ url: baseUrl + pathTo(routes['play/open'], { token }), lang, expiry_time: expiresAt });
  },
);
