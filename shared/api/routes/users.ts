import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const usersRoutes = /* @__PURE__ */ table({
  'users/create': {
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    description:
      'The user starts with empty balances. There is no idempotency key. After `outcome_unknown`, the ' +
      'same request returns the same user for a day. If a request that you repeat after no response ' +
      'returns `external_reference_taken`, your first attempt succeeded: look the reference up.',
    refuses: () => [refusals.externalReferenceTaken()],
    schemas: () => ({
      body: z.object({ external_reference: s.externalReference }),
      reply: s.userReply,
    }),
    access: { table: ['PutItem'], seals: true },
  },
  'users/find': {
    method: 'GET',
    path: '/users',
    summary: 'Look up a user by external reference',
    description: 'References are compared character by character. An unknown reference is `user_not_found`.',
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
    description: "Another organization's user is `user_not_found`, like an unknown id.",
    schemas: () => ({ path: s.userPath, reply: s.fullUserReply }),
    access: { table: ['GetItem'] },
  },
  'users/summary': {
    method: 'GET',
    path: '/users/{user_id}/summary',
    summary: 'Read what a screen shows about a user',
    description:
      "Returns balances, queued spins, the day's remaining plays, the eligibility for each game, and wins that " +
      'no balance contains, all as of the event `sequence`. `plays_left` and `plays_reset_at` are null if plays ' +
      'are not limited. `queued_spins.run_at` is the next midnight in New York, or null if no spin waits for it; ' +
      '`due` spins run within minutes, or when a hold ends. `wins` lists cash and other prizes that you hand out, ' +
      "newest first, among the user's last 50 outcomes; none that is later than `since` is missing.",
    schemas: () => ({ path: s.userPath, reply: s.userSummary }),
    access: { table: ['GetItem', 'BatchGetItem', 'Query'], seals: true },
  },
  'users/update': {
    method: 'PUT',
    path: '/users/{user_id}',
    summary: "Change a user's external reference",
    description:
      'The old reference is free again at once. Id, balances and history stay the same. Setting the ' +
      'current reference again succeeds.',
    refuses: () => [refusals.externalReferenceTaken()],
    schemas: () => ({
      path: s.userPath,
      body: z.object({ external_reference: s.externalReference }),
      reply: s.userReply,
    }),
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem', 'DeleteItem'], seals: true },
  },
});
