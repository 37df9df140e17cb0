import * as z from 'zod/mini';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const gamesRoutes = /* @__PURE__ */ table({
  'games/play': {
    method: 'POST',
    path: '/users/{user_id}/games/play',
    summary: 'Generate a URL at which a user plays a game once, within 30 minutes',
    description:
      'The URL costs nothing until it is played, and each request makes another one. It has one ' +
      'outcome, however often it is opened, and shows that for a year. It is a credential: whoever has ' +
      'it can play.',
    schemas: () => ({
      path: s.userPath,
      body: z.object({ lang: z._default(s.lang, 'en'), game: z._default(s.game, 'prizewheel') }),
      reply: z.object({ url: s.url, lang: s.lang, expiry_time: s.instant }),
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['BatchGetItem', 'PutItem'], draws: true, playUrls: true },
  },
  'games/history': {
    method: 'GET',
    path: '/users/{user_id}/games/history',
    summary: "List a user's game outcomes, newest first",
    description:
      'Plays and free spins, each with one prize. Pages go on by `next_token`, and an outcome that is ' +
      'recorded meanwhile does not shift them. A `limit` of 0 gives an empty page.',
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({ items: z.array(s.outcome), next_token: s.tokenOfNext }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'games/check-eligibility': {
    method: 'GET',
    path: '/users/{user_id}/game/check-eligibility',
    summary: 'Check whether a user can play, without starting a session',
    description:
      'For the prize wheel. `tickets_only` alone is not in the way of a play: it says that no cash ' +
      'prize is left to draw. What an operator has put on hold makes `playable` false without a ' +
      'restriction.',
    schemas: () => ({
      path: s.userPath,
      reply: z.object({
        playable: z.boolean(),
        restrictions: z.array(s.restriction),
      }),
    }),
    access: { table: ['GetItem', 'BatchGetItem'] },
  },
});
