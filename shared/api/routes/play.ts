import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const playRoutes = /* @__PURE__ */ table({
  'play/open': {
    method: 'GET',
    path: '/play/{token}',
    summary: 'Open the page of a play URL',
    description:
      "HTML for the player's browser: the game, its outcome, or why it cannot be played. " +
      'Opening it plays nothing. An unknown token gets a page too, with a 404.',
    refuses: () => [refusals.playNotFound()],
    schemas: () => ({ path: s.playPath, reply: z.object({}) }),
    access: { table: ['GetItem', 'BatchGetItem', 'Query'] },
    credential: 'play-token',
    answers: 'html',
  },
  'play/spin': {
    method: 'POST',
    path: '/play/{token}/spin',
    summary: 'Play a play URL, or ask again what it came to',
    description:
      'The first request takes the cost, draws, and records the outcome; each later one returns the ' +
      "same outcome, for a year. `client_seed` is the browser's part in the draw; that of the first " +
      'request counts. `fairness` is what it takes to draw the prize again, but for the prizes of the table ' +
      'with their weights: the page lists them, and so does the book of the day. How it is drawn is in the ' +
      "service's `shared/games/draw.ts`.",
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
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      draws: true,
    },
    credential: 'play-token',
  },
});
