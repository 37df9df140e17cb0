import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const webhooksRoutes = /* @__PURE__ */ table({
  'webhooks/create': {
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook',
    description:
      'Of webhooks with one callback, the newest that wants an event is told of it, and no other. There ' +
      'is no idempotency key: after no answer, look at the list first. Deliveries are signed with ' +
      '`secret_key`; if it begins with `whsec_`, with the bytes that the base64 after that stands for.',
    refuses: () => [refusals.tooManyWebhooks(100)],
    schemas: () => ({ body: s.webhookFields, reply: s.webhookReply }),
    access: { table: ['GetItem', 'PutItem', 'UpdateItem'], key: ['Decrypt', 'GenerateDataKey'] },
  },
  'webhooks/list': {
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks, oldest first',
    description:
      'With their secrets, and since when their receivers have failed. Pages go on by `next_token`. A ' +
      '`limit` of 0 gives an empty page.',
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
    description: 'With its secret, and since when its receiver has failed.',
    schemas: () => ({ path: s.webhookPath, reply: s.webhookReply }),
    access: { table: ['GetItem'], key: ['Decrypt'] },
  },
  'webhooks/update': {
    method: 'PUT',
    path: '/webhooks/{webhook_id}',
    summary: 'Change a webhook, and switch it on if it is off',
    description:
      'Without `event`, the events stay as they were. A replaced secret signs for 24 more hours, beside ' +
      'the new one. A webhook that is switched off is on again, and is told what it missed. Sent again, ' +
      'the request comes to the same.',
    schemas: () => ({ path: s.webhookPath, body: s.webhookFields, reply: s.webhookReply }),
    access: { table: ['GetItem', 'PutItem'], sends: ['deliveries'], key: ['Decrypt'] },
  },
  'webhooks/delete': {
    method: 'DELETE',
    path: '/webhooks/{webhook_id}',
    summary: 'Delete a webhook',
    description:
      'What is still on its way to the webhook is not sent any more. Sent again, the request is a 404.',
    schemas: () => ({ path: s.webhookPath, reply: z.object({ webhook_id: s.webhookId }) }),
    access: { table: ['GetItem', 'DeleteItem', 'UpdateItem'] },
  },
  'webhooks/invoke': {
    method: 'POST',
    path: '/webhooks/{webhook_id}/invoke',
    summary: 'Send a JSON object to a webhook, once for each request id',
    description:
      'The body is queued byte for byte, for a webhook that is switched off too, and signed as events ' +
      'are, under a `webhook-id` that begins with `inv_`. The same `request_id` is sent once within 90 ' +
      'days; without one, each request is.',
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
    description:
      'Each attempt to deliver is a call, kept for 90 days. `start` and `end` both belong to the range. ' +
      '`is_all` is true if no page follows.',
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
