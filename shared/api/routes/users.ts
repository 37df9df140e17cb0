import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const usersRoutes = /* @__PURE__ */ routeTable({
  'users/create': {
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    description:
      'The user starts with empty balances. The request has no idempotency key. After `outcome_unknown`, repeat ' +
      'the request: for a day, it returns the same user. If you got no response, repeat the request too. The ' +
      'error `external_reference_taken` then means that the first request created the user: look up the reference.',
    refuses: () => [refusals.externalReferenceTaken()],
    schemas: () => ({
      body: z.object({ external_reference: s.externalReference }),
      reply: s.userReply,
    }),
    access: { table: ['PutItem'] },
  },
  'users/find': {
    method: 'GET',
    path: '/users',
    summary: 'Look up a user by external reference',
    description:
      'References are compared character by character. An unknown reference returns the error `user_not_found`.',
    refuses: () => [refusals.userNotFound()],
    schemas: () => ({
      query: z.object({ external_reference: s.externalReference }),
      reply: s.fullUserReply,
    }),
    access: { table: ['GetItem'] },
  },
  'users/get': {
    method: 'GET',
    path: '/users/{user_id}',
    summary: 'Look up a user by id',
    description: "Unknown ids and the ids of other organizations' users return the error `user_not_found`.",
    schemas: () => ({ path: s.userPath, reply: s.fullUserReply }),
    access: { table: ['GetItem'] },
  },
  'users/summary': {
    method: 'GET',
    path: '/users/{user_id}/summary',
    summary: 'Read what a screen shows about a user',
    description:
      "Returns balances, queued spins, the day's remaining plays, the eligibility for each game, and recent wins, " +
      'all as of the event `sequence`. `plays_left` and `plays_reset_at` are null if plays are not limited. ' +
      '`queued_spins.run_at` is the next midnight in New York, or null if no spins are queued for it. The `due` ' +
      'spins run within minutes, or when a hold ends. `wins` lists the prizes of games that you hand out, such as cash, ' +
      "newest first. It covers the user's last 50 outcomes. The list is complete from `since` on.",
    schemas: () => ({ path: s.userPath, reply: s.userSummary }),
    access: { table: ['GetItem', 'BatchGetItem', 'Query'] },
  },
  'users/update': {
    method: 'PUT',
    path: '/users/{user_id}',
    summary: "Change a user's external reference",
    description:
      'Another user can get the old reference immediately. Setting the current reference again succeeds.',
    refuses: () => [refusals.externalReferenceTaken()],
    schemas: () => ({
      path: s.userPath,
      body: z.object({ external_reference: s.externalReference }),
      reply: s.userReply,
    }),
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
  },
});
