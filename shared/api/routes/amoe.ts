import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const amoeRoutes = /* @__PURE__ */ table({
  'amoe/queue': {
    method: 'POST',
    path: '/users/{user_id}/game/queue',
    summary: 'Queue free spins for the next midnight in New York',
    schemas: () => ({
      path: s.userPath,
      body: z.object({
        num_of_spins: s.spinsToQueue,
        result_effective_date: z.optional(s.timestamp),
        idempotency_key: s.idempotencyKey,
      }),
      reply: s.queuedSpins,
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  },
  'amoe/guest-play': {
    method: 'POST',
    path: '/users/guest/{user_id}/game/play',
    summary: 'Run free spins at once for a user without an account on the host system',
    refuses: () => [refusals.acceptedRepeatToCollect()],
    schemas: () => ({
      path: s.userPath,
      body: z.object({
        num_of_spins: s.spinsAtOnce,
        result_effective_date: z.optional(s.timestamp),
        idempotency_key: s.idempotencyKey,
      }),
      reply: z.object({ items: z.array(s.outcome) }),
    }),
    holds: ['user_frozen', 'game_paused'],
    access: {
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      draws: true,
    },
  },
  'amoe/guest-queue': {
    method: 'POST',
    path: '/users/guest/{user_id}/game/queue',
    summary: 'Queue free guest spins for the next midnight in New York',
    deprecated: true,
    schemas: () => ({
      path: s.userPath,
      body: z.object({ num_of_spins: s.spinsToQueue, idempotency_key: s.idempotencyKey }),
      reply: s.queuedSpins,
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  },
});
