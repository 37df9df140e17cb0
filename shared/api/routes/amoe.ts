import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

const spins = (num_of_spins: z.ZodMiniNumber) => ({
  num_of_spins,
  game: z._default(s.game, 'prizewheel'),
});
const keyed = { idempotency_key: s.idempotencyKey };
const dated = { result_effective_date: z.optional(s.timestamp), ...keyed };

export const amoeRoutes = /* @__PURE__ */ routeTable({
  'amoe/queue': {
    method: 'POST',
    path: '/users/{user_id}/game/queue',
    summary: 'Queue free spins for the next midnight in New York',
    description:
      'The spins cost no tickets. They use the prize table that `game` has at the time of the request: all that a game’s ' +
      'plays can win for tickets can be won for free, at the same odds. ' +
      'They run at midnight or in the minutes after it, once for each idempotency key. `total_queued_spins` ' +
      'counts all spins of the user that have not run yet. The outcomes get your `result_effective_date`, by default ' +
      'the start of today in New York. This date does not affect when the spins run.',
    schemas: () => ({
      path: s.userPath,
      body: z.object({ ...spins(s.spinsToQueue), ...dated }),
      reply: s.queuedSpins,
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  },
  'amoe/guest-play': {
    method: 'POST',
    path: '/users/guest/{user_id}/game/play',
    summary: 'Run free spins immediately for a user without an account on the host system',
    description:
      'Create the guest by `POST /users`. The spins cost no tickets, use the prize table of `game`, and run ' +
      'once for each idempotency key. `items` are in the order of the draws. If not all spins run in time, the ' +
      'response is the error `accepted_repeat_to_collect`. The remaining spins still run: repeat the request to get ' +
      'all outcomes. The outcomes get your `result_effective_date`, by default the start of today in New York.',
    refuses: () => [refusals.acceptedRepeatToCollect()],
    schemas: () => ({
      path: s.userPath,
      body: z.object({ ...spins(s.spinsAtOnce), ...dated }),
      reply: z.object({ items: z.array(s.outcome) }),
    }),
    holds: ['user_frozen', 'game_paused'],
    access: {
      table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
      draws: true,
    },
  },
  'amoe/guest-queue': {
    method: 'POST',
    path: '/users/guest/{user_id}/game/queue',
    summary: 'Queue free guest spins for the next midnight in New York',
    description:
      'Works like `POST /users/{user_id}/game/queue`, but has no `result_effective_date`. Use ' +
      "`POST /users/guest/{user_id}/game/play` instead, which runs a guest's spins immediately.",
    deprecated: true,
    schemas: () => ({
      path: s.userPath,
      body: z.object({ ...spins(s.spinsToQueue), ...keyed }),
      reply: s.queuedSpins,
    }),
    holds: ['user_frozen', 'game_paused'],
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  },
});
