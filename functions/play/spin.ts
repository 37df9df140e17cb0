import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { playRoutes } from '../../shared/api/routes/play.ts';
import { play } from '../../shared/games/plays.ts';

/**
 * Plays a play URL once. Later calls return the same outcome. The header `ticket-balance` is the balance
 * after the play.
 */
export const handler = endpoint(playRoutes['play/spin'], async ({ path, body, now }) => {
  const { balance, ...played } = await play(path.token, body.client_seed, now);
  return reply(played, { headers: { 'ticket-balance': String(balance) } });
});
