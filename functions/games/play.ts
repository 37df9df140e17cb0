import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pathTo } from '../../shared/api/route.ts';
import { gamesRoutes } from '../../shared/api/routes/games.ts';
import { playRoutes } from '../../shared/api/routes/play.ts';
import { createPlayUrl } from '../../shared/games/plays.ts';

export const handler = endpoint(
  gamesRoutes['games/play'],
  async ({ organizationId, path, body, now, playBaseUrl }) => {
    const { game, lang } = body;
    const request = { organizationId, userId: path.user_id, game, lang, now };
    const { token, expiresAt, eligibility, promotion } = await createPlayUrl(request);
    return reply({
      url: playBaseUrl + pathTo(playRoutes['play/open'], { token }),
      lang,
      expiry_time: expiresAt,
      playable: eligibility.playable,
      restrictions: eligibility.restrictions,
      promotion,
    });
  },
);
