import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { readWebhook, viewOf } from '../../shared/webhooks/webhooks.ts';

/** Reads one webhook. */
export const handler = endpoint(routes['webhooks/get'], async ({ organizationId, path }) =>
  reply(await viewOf(await readWebhook(organizationId, path.webhook_id))),
);
