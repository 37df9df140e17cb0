import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const playRoutes = /* @__PURE__ */ routeTable({
  'play/open': {
    method: 'GET',
    path: '/play/{token}',
    summary: 'Open the page of a play URL',
    description:
      "Returns an HTML page for the player's browser with the game, its outcome, or the reason why it " +
      'cannot be played. Opening the page does not play. An unknown token returns a page with a 404. ' +
      '`HEAD` returns the same status and headers.',
    refuses: () => [refusals.playNotFound()],
    schemas: () => ({ path: s.playPath, reply: z.object({}) }),
    access: { table: ['GetItem', 'BatchGetItem', 'Query'] },
    credential: 'play-token',
    answers: 'html',
  },
  'play/spin': {
    method: 'POST',
    path: '/play/{token}/spin',
    summary: 'Play a play URL, or get its outcome again',
    description:
      'The first request takes the cost, draws the prize and records the outcome. Later requests return ' +
      "the same outcome, for a year. `client_seed` is the browser's part of the draw; only that of the " +
      'first request counts. With `fairness` and the prize table, anybody can repeat the draw. The table ' +
      'is on the page and in the book of the day, and the algorithm in `shared/games/draw.ts` of the ' +
      'service.',
    refuses: () => [
      refusals.playNotFound(),
      refusals.restricted('insufficient_tickets'),
      refusals.restricted('daily_spin_limit_reached'),
      refusals.playExpired(),
      refusals.playVoided(),
    ],
    schemas: () => ({
      path: s.playPath,
      body: z.object({ client_seed: s.clientSeed }),
      reply: z.object({ outcome: s.outcome, fairness: s.fairness }),
    }),
    holds: ['user_frozen', 'game_paused'],
    access: {
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'ConditionCheckItem'],
      draws: true,
    },
    credential: 'play-token',
  },
});
