import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { newId } from '../../shared/ids.ts';
import { refusals } from '../../shared/refusals.ts';
import { invokeWebhook } from '../../shared/webhooks/invocations.ts';

/** Sends a host's own payload to a webhook, once for each request id. */
export const handler = endpoint(
  routes['webhooks/invoke'],
  async ({ organizationId, path, query, bodyText, now }) => {
    if (bodyText === undefined || !isJsonObject(bodyText)) throw refusals.unprocessable();
    await invokeWebhook({
      organizationId,
      webhookId: path.webhook_id,
      requestId: query.request_id ?? newId('req', now),
      body: bodyText,
      now,
    });
    return reply({});
  },
);

// The history shows a payload as JSON again, which is written by recursion: a deeper one would make it fail.
const mostLevels = 100;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && levelsOf(text) <= mostLevels
    );
  } catch {
    return false;
  }
}

/** How deep the objects and lists of a JSON text are nested. */
function levelsOf(json: string): number {
  let [level, most] = [0, 0];
  for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (part === '[' || part === '{') most = Math.max(most, ++level);
    else if (part === ']' || part === '}') level--;
  }
  return most;
}
