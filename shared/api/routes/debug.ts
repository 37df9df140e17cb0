import * as z from 'zod/mini';
import { debugStages } from '../../stage.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const debugRoutes = /* @__PURE__ */ routeTable({
  'debug/play': {
    method: 'POST',
    path: '/debug/users/{user_id}/games/play',
    summary: 'Generate a play URL with a forced result',
    description:
      '`jackpot` wins the highest cash prize of the prize table. A kind of prize, such as `prize_gift_card`, wins a ' +
      'prize of this kind; if the table has none, a 422 names the kinds that it has. Both cost nothing and have no ' +
      'limits. `tickets_only` has the ordinary cost and limits, and draws only ticket prizes. After the play, ' +
      '`fairness.debug` is the forced result. `valid_seconds` makes the URL expire earlier.',
    schemas: () => ({
      path: s.userPath,
      body: z.object({
        lang: z._default(s.lang, 'en'),
        game: z._default(s.game, 'prizewheel'),
        result: s.debugResult,
        valid_seconds: s.validSeconds,
      }),
      reply: z.object({ url: s.url, lang: s.lang, result: s.debugResult, expiry_time: s.instant }),
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'], draws: true, playUrls: true },
    stages: debugStages,
  },
  'debug/daily-cash-limit': {
    method: 'PUT',
    path: '/debug/daily-cash-limit',
    summary: 'Set the daily cash limit, in whole USD',
    description: 'Limits the cash prizes of all users together per day in New York, from the next draw on.',
    schemas: () => ({
      body: z.object({ cash_limit: s.cashLimit }),
      reply: z.object({ cash_limit: z.number() }),
    }),
    access: { table: ['GetItem', 'PutItem'] },
    stages: debugStages,
  },
  'debug/daily-spin-limit': {
    method: 'PUT',
    path: '/debug/daily-spin-limit',
    summary: 'Turn the daily spin limit on or off',
    description: "Limits each user's plays per day in New York. Free spins do not count.",
    schemas: () => ({
      body: z.object({ on: z.boolean() }),
      reply: z.object({ on: z.boolean() }),
    }),
    access: { table: ['GetItem', 'PutItem'] },
    stages: debugStages,
  },
  'debug/spin-run': {
    method: 'POST',
    path: '/debug/spin-run',
    summary: 'Run the queued free spins now',
    description:
      'Starts the run that starts at midnight in New York, for all queued spins of the organization. They run within ' +
      'seconds, once each however often you ask, with their webhooks. `started` counts these spins. Spins of a ' +
      'frozen user stay queued.',
    schemas: () => ({ reply: z.object({ started: z.number() }) }),
    holds: ['game_paused'],
    access: { table: ['GetItem', 'Query'], sends: ['spin-shards'] },
    stages: debugStages,
  },
});
