import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { updateWebhook } from '../../shared/webhooks/webhooks.ts';

/** Changes a webhook; a replaced secret goes on signing for 24 hours. */
export const handler = endpoint(routes['webhooks/update'], async ({ organizationId, path, body, now }) =>
  reply(await updateWebhook(organizationId, path.webhook_id, body, now)),
);
