import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { routes } from '../../shared/api/routes.ts';
import { createPlay } from '../../shared/games/plays.ts';

/** Generates a play URL for the prize wheel that ends in a given way. */
export const handler = endpoint(
  routes['debug/play'],
  async ({ organizationId, path, body, now, baseUrl }) => {
    const { lang, result } = body;
    const request = { organizationId, userId: path.user_id, game: 'prizewheel' as const, lang, now };
    const { token, expiresAt } = await createPlay(request, result);
    return reply({
      url: baseUrl + pathTo(routes['play/open'], { token }),
      lang,
      result,
      expiry_time: expiresAt,
    });
  },
);
