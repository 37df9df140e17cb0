import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import * as w from '../webhook-schemas.ts';
import { routeTable } from './table.ts';

export const webhooksRoutes = /* @__PURE__ */ routeTable({
  'webhooks/create': {
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook',
    description:
      'Without `event`, the webhook subscribes to all types of events. If a webhook with this callback URL and event ' +
      'exists, the request updates it as a PUT does, and returns it: you can repeat the request, and send it at every ' +
      'start. If webhooks for different events have the same callback URL, only the newest that subscribes to a type ' +
      'receives it; `receives` in the list shows which. `secret_key` signs the deliveries.',
    refuses: () => [refusals.tooManyWebhooks(100)],
    schemas: () => ({ body: w.webhookFields, reply: w.webhookReply }),
    access: {
      table: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
      key: ['Decrypt', 'GenerateDataKey'],
    },
  },
  'webhooks/list': {
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks, oldest first',
    description:
      'Lists the webhooks with their secrets, the time since which deliveries fail, and the types of events ' +
      'that each webhook receives. If several webhooks with the same callback URL subscribe to a type of event, ' +
      'only the newest receives the events. Send `next_token` to get the next page. A `limit` of 0 returns an ' +
      'empty page.',
    schemas: () => ({
      query: z.object({ limit: s.limit(100), next_token: s.nextToken }),
      reply: z.object({ webhooks: z.array(w.listedWebhook), next_token: s.nextTokenReply }),
    }),
    access: { table: ['Query'], key: ['Decrypt'] },
  },
  'webhooks/get': {
    method: 'GET',
    path: '/webhooks/{webhook_id}',
    summary: 'Read one webhook',
    description: 'Returns the webhook with its secret, and with the time since which deliveries fail.',
    schemas: () => ({ path: s.webhookPath, reply: w.webhookReply }),
    access: { table: ['GetItem'], key: ['Decrypt'] },
  },
  'webhooks/update': {
    method: 'PUT',
    path: '/webhooks/{webhook_id}',
    summary: 'Change a webhook, and switch it on if it is off',
    description:
      'If the body has no `event`, the subscription stays the same. For 24 hours after a change of the secret, the ' +
      'old and the new secret both sign deliveries. A webhook that was switched off is switched on again and ' +
      'receives the events that it missed, once your receiver works.',
    schemas: () => ({ path: s.webhookPath, body: w.webhookFields, reply: w.webhookReply }),
    access: { table: ['GetItem', 'PutItem'], key: ['Decrypt'] },
  },
  'webhooks/delete': {
    method: 'DELETE',
    path: '/webhooks/{webhook_id}',
    summary: 'Delete a webhook',
    description:
      'Drops the deliveries that are still pending for the webhook. Repeating the request returns a 404.',
    schemas: () => ({ path: s.webhookPath, reply: z.object({ webhook_id: s.webhookId }) }),
    access: { table: ['GetItem', 'DeleteItem', 'UpdateItem'] },
  },
  'webhooks/invoke': {
    method: 'POST',
    path: '/webhooks/{webhook_id}/invoke',
    summary: 'Send a JSON object to a webhook, once for each request id',
    description:
      'Sends the body byte for byte, even to a webhook that is switched off. The body is signed like an event, ' +
      'with a `webhook-id` that begins with `inv_`. Within 90 days, requests with the same `request_id` send the ' +
      'body once, and a request with another body returns the error `idempotency_key_reused`. Each request without ' +
      'a `request_id` sends its body.',
    verbatimBody: true,
    refuses: () => [refusals.unprocessable(), refusals.requestIdReused()],
    schemas: () => ({
      path: s.webhookPath,
      query: z.object({ request_id: s.requestId }),
      reply: z.object({}),
    }),
    access: { table: ['GetItem', 'PutItem'], sends: ['deliveries'] },
  },
  'webhooks/history': {
    method: 'GET',
    path: '/webhook/history',
    summary: 'List the calls made to webhooks, oldest first',
    description:
      'A call is one attempt to send an event or an `invoke` body. Calls are kept for 90 days. `start` and `end` ' +
      'are inclusive, while reports exclude `end`. Send `next_token` with the same `start`, `end` and `event_type` to get the next page. ' +
      '`is_all` is true on the last page.',
    schemas: () => ({
      query: z
        .object({
          start: s.timeBound,
          end: s.timeBound,
          event_type: z.optional(s.eventType),
          limit: s.limit(1000),
          next_token: s.nextToken,
        })
        .check(...s.timeRange('including end')),
      reply: z.object({
        calls: z.array(w.webhookCall),
        next_token: s.nextTokenReply,
        limit: z.number(),
        is_all: z.boolean(),
      }),
    }),
    access: { table: ['Query'] },
  },
});
