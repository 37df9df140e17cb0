import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import { debugStages } from '../../stage.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const debugRoutes = /* @__PURE__ */ table({
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
  'debug/days-ahead': {
    method: 'PUT',
    path: '/debug/days-ahead',
    summary: "Advance the organization's calendar",
    description:
      'Daily limits start anew, and the free spins queued for the days passed run within seconds, with their ' +
      'webhooks. All times stay real, and midnight in New York still begins the next day. The calendar only moves ' +
      'forward, until a reset. From then on, the organization gets no books. `day` is the ' +
      'organization’s day.',
    refuses: () => [refusals.calendarAhead(2)],
    schemas: () => ({
      body: z.object({ days_ahead: s.daysAhead }),
      reply: z.object({ days_ahead: z.number(), day: z.string() }),
    }),
    access: { table: ['GetItem', 'PutItem'], sends: ['spin-shards'] },
    stages: debugStages,
  },
  'debug/reset': {
    method: 'POST',
    path: '/debug/reset',
    summary: "Delete the organization's data",
    description:
      'Users, histories, webhooks, events and books are gone, and earlier play URLs show that plays are suspended. ' +
      'API keys, the organization’s id, settings, prize tables and the page’s settings stay. Two resets at the same ' +
      'time count as one. A webhook call about an earlier event can still arrive.',
    schemas: () => ({ reply: z.object({}) }),
    access: {
      table: ['GetItem', 'BatchGetItem', 'PutItem'],
      index: true,
      draws: true,
    },
    stages: debugStages,
  },
});
