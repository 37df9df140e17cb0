import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const prizesRoutes = /* @__PURE__ */ routeTable({
  'prizes/list': {
    method: 'GET',
    path: '/users/{user_id}/prizes',
    summary: 'List the prizes that a user has won and you hand out, newest first, with their states',
    description:
      'Prizes that a balance shows, tickets and entries, are left out. A prize is `open` until it is `delivered` or ' +
      '`forfeited`; while it is `held`, something is missing, such as a form. A prize is `untracked` if your ' +
      'organization did not track its kind when it was won; prizes of drawings are always tracked. A page can be shorter than `limit`: send `next_token` ' +
      'until it is empty.',
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({ items: z.array(s.wonPrize), next_token: s.nextTokenReply }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'prizes/update': {
    method: 'PUT',
    path: '/prizes/{prize_id}',
    summary: 'Record a step of a prize: held, delivered, forfeited, or open again',
    description:
      'The same step again succeeds and changes nothing. A step that cannot follow, such as a second delivery with ' +
      'another reference, returns the error `claim_conflict`. A prize won in the last minute can return ' +
      '`unavailable`: send the request again. A drawing’s prize that is `forfeited` goes to the next user drawn, at once and ' +
      'for good. Each step emits `prize_updated`.',
    refuses: () => [refusals.prizeNotFound(), refusals.claimConflict('delivered')],
    schemas: () => ({
      path: z.object({ prize_id: s.prizeId }),
      body: z.object(s.claimStep),
      reply: s.wonPrize,
    }),
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'Query', 'PutItem'], index: true, sends: ['drawings'] },
  },
});
