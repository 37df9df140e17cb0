import * as z from 'zod/mini';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const gamesRoutes = /* @__PURE__ */ routeTable({
  'games/play': {
    method: 'POST',
    path: '/users/{user_id}/games/play',
    summary: 'Generate a URL at which a user plays a game once, within 30 minutes',
    description:
      'Each request returns a new URL, which costs nothing until the play. A URL has one outcome, however often ' +
      'it is opened, and shows the outcome for a year. The URL is a credential: anybody who has it can play. ' +
      '`playable` and `restrictions` are those of the game now: a user who cannot play yet can still get a URL.',
    schemas: () => ({
      path: s.userPath,
      body: z.object({ lang: z._default(s.lang, 'en'), game: z._default(s.game, 'prizewheel') }),
      reply: z.object({
        url: s.url,
        lang: s.lang,
        expiry_time: s.instant,
        playable: z.boolean(),
        restrictions: z.array(s.restriction),
        promotion: s.promotion,
      }),
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'], draws: true, playUrls: true },
  },
  'games/history': {
    method: 'GET',
    path: '/users/{user_id}/games/history',
    summary: "List a user's game outcomes, newest first",
    description:
      'Lists plays and free spins, each with one prize. Send `next_token` to get the next page. New ' +
      'outcomes do not shift pages. A `limit` of 0 returns an empty page.',
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({ items: z.array(s.outcome), next_token: s.nextTokenReply }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'games/check-eligibility': {
    method: 'GET',
    path: '/users/{user_id}/game/check-eligibility',
    summary: 'Check whether a user can play, without starting a session',
    description:
      '`playable`, `restrictions` and `holds` are those of the prize wheel; `games` has those of each game, ' +
      'and whether its free spins can be requested (`free_playable`). ' +
      '`tickets_only` does not prevent a play: it means that only tickets can be won now, because no cash is left or ' +
      'the promotion has not begun or is over. `holds` lists what ' +
      'an operator has stopped; each hold prevents plays.',
    schemas: () => ({
      path: s.userPath,
      reply: z.object({
        playable: z.boolean(),
        restrictions: z.array(s.restriction),
        holds: z.array(s.hold),
        games: z.array(s.gameEligibility),
        promotion: s.promotion,
      }),
    }),
    access: { table: ['GetItem', 'BatchGetItem'] },
  },
});
