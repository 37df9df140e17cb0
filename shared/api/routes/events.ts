import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import { anyEvent } from '../event-schemas.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const eventsRoutes = /* @__PURE__ */ routeTable({
  'events/list': {
    method: 'GET',
    path: '/events',
    summary: 'Read events forward, oldest first',
    description:
      'Returns the events that webhooks receive, with the same ids and payloads. You need no webhook. Without ' +
      '`after`, the page begins with the first event of your organization. Store `next` in the same transaction as ' +
      'the effects of the page, and send it as `after` in the next request. A `next` never expires. `is_all` means ' +
      'that no event older than one minute is known to be missing: newer events appear one minute after their time. ' +
      'A gap in a user’s `sequence` shows that AWS’s index was late: read on from the gap with `user_id` and ' +
      '`after_sequence`. In a request with `user_id`, events appear immediately.',
    refuses: () => [refusals.userNotFound(), refusals.sequenceNotReached(40)],
    compressed: true,
    schemas: () => ({
      query: z
        .object({
          after: s.cursor,
          after_sequence: z.optional(s.afterSequence),
          limit: z._default(s.integer(1, 1000), 100),
          user_id: z.optional(s.userId),
          event_type: z.optional(s.eventType),
        })
        .check(
          z.refine(
            ({ after, after_sequence, user_id }) =>
              after_sequence === undefined || (user_id !== undefined && !after),
            { path: ['after_sequence'], error: 'Input should come with user_id and without after' },
          ),
        ),
      reply: z.object({ events: z.array(anyEvent()), next: s.nextCursor, is_all: z.boolean() }),
    }),
    access: { table: ['BatchGetItem', 'GetItem', 'Query'], index: true },
  },
});
