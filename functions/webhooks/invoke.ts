import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { refusals } from '../../shared/refusals.ts';
import { invokeWebhook, isInvocationPayload } from '../../shared/webhooks/invocations.ts';
import { throwSuspended } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(
  webhooksRoutes['webhooks/invoke'],
  async ({ organizationId, path, query, bodyText, suspended, now }) => {
    if (bodyText === undefined || !isInvocationPayload(bodyText)) throw refusals.unprocessable();
    if (suspended) return throwSuspended(organizationId, path.webhook_id);
    await invokeWebhook({
      organizationId,
      webhookId: path.webhook_id,
      requestId: query.request_id,
      body: bodyText,
      now,
    });
    return reply({});
  },
);
