import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const usersRoutes = /* @__PURE__ */ table({
  'users/create': {
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
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
    schemas: () => ({ path: s.userPath, reply: s.fullUserReply }),
    access: { table: ['GetItem'] },
  },
  'users/update': {
    method: 'PUT',
    path: '/users/{user_id}',
    summary: "Change a user's external reference",
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
