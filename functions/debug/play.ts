import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';
import { playRoutes } from '../../shared/api/routes/play.ts';
import { createPlayUrl } from '../../shared/games/plays.ts';

export const handler = endpoint(
  debugRoutes['debug/play'],
  async ({ organizationId, path, body, now, playBaseUrl }) => {
    const { lang, game, result, valid_seconds } = body;
    const request = { organizationId, userId: path.user_id, game, lang, now };
    const { token, expiresAt } = await createPlayUrl(request, result, valid_seconds * 1000);
    return reply({
      url: playBaseUrl + pathTo(playRoutes['play/open'], { token }),
      lang,
      result,
      expiry_time: expiresAt,
    });
  },
);
