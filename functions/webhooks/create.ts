import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { createWebhook } from '../../shared/webhooks/webhooks.ts';

/** Registers a webhook. */
export const handler = endpoint(routes['webhooks/create'], async ({ organizationId, body, now }) =>
  reply(await createWebhook(organizationId, body, now)),
);
