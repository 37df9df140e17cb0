import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const webhooksRoutes = /* @__PURE__ */ table({
  'webhooks/create': {
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook; of those with one callback the newest that wants an event is told of it',
    refuses: () => [refusals.tooManyWebhooks(100)],
    schemas: () => ({ body: s.webhookFields, reply: s.webhookReply }),
    access: { table: ['GetItem', 'PutItem', 'UpdateItem'], key: ['Decrypt', 'GenerateDataKey'] },
  },
  'webhooks/list': {
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks, oldest first',
    schemas: () => ({
      query: z.object({ limit: s.limit(100), next_token: s.nextToken }),
      reply: z.object({ webhooks: z.array(s.webhookReply), next_token: s.tokenOfNext }),
    }),
    access: { table: ['Query'], key: ['Decrypt'] },
  },
  'webhooks/get': {
    method: 'GET',
    path: '/webhooks/{webhook_id}',
    summary: 'Read one webhook',
    schemas: () => ({ path: s.webhookPath, reply: s.webhookReply }),
    access: { table: ['GetItem'], key: ['Decrypt'] },
  },
  'webhooks/update': {
    method: 'PUT',
    path: '/webhooks/{webhook_id}',
    summary: 'Change a webhook, and switch it on if it is off; a replaced secret signs for 24 more hours',
    schemas: () => ({ path: s.webhookPath, body: s.webhookFields, reply: s.webhookReply }),
    access: { table: ['GetItem', 'PutItem'], sends: ['deliveries'], key: ['Decrypt'] },
  },
  'webhooks/delete': {
    method: 'DELETE',
    path: '/webhooks/{webhook_id}',
    summary: 'Delete a webhook',
    schemas: () => ({ path: s.webhookPath, reply: z.object({ webhook_id: s.webhookId }) }),
    access: { table: ['GetItem', 'DeleteItem', 'UpdateItem'] },
  },
  'webhooks/invoke': {
    method: 'POST',
    path: '/webhooks/{webhook_id}/invoke',
    summary: 'Send a JSON object to a webhook, once for each request id',
    verbatimBody: true,
    refuses: () => [refusals.unprocessable()],
    schemas: () => ({
      path: s.webhookPath,
      query: z.object({ request_id: s.requestId }),
      reply: z.object({}),
    }),
    access: { table: ['GetItem', 'PutItem', 'UpdateItem'], sends: ['deliveries'] },
  },
  'webhooks/history': {
    method: 'GET',
    path: '/webhook/history',
    summary: 'List the calls made to webhooks, oldest first',
    schemas: () => ({
      query: z
        .object({
          start: s.timestamp,
          end: s.timestamp,
          event_type: z.optional(s.eventType),
          limit: s.limit(1000),
          next_token: s.nextToken,
        })
        .check(s.startNotAfterEnd),
      reply: z.object({
        calls: z.array(s.webhookCall),
        next_token: s.tokenOfNext,
        limit: z.number(),
        is_all: z.boolean(),
      }),
    }),
    access: { table: ['Query'] },
  },
});
