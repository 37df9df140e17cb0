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
      'The user begins with empty balances. There is no idempotency key: after an `outcome_unknown`, ' +
      'the same request returns the same user, for a day. If it says `external_reference_taken` after ' +
      'no answer at all, an earlier try was carried out: look the reference up.',
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
    description: 'References are compared character by character. One that nobody has is `user_not_found`.',
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
    description: "Another organization's user is `user_not_found`, as one that does not exist.",
    schemas: () => ({ path: s.userPath, reply: s.fullUserReply }),
    access: { table: ['GetItem'] },
  },
  'users/update': {
    method: 'PUT',
    path: '/users/{user_id}',
    summary: "Change a user's external reference",
    description:
      'The old reference is free again at once; id, balances and history stay. The reference that the ' +
      'user has already is a success.',
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
