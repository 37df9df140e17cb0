/** Creates a flow's organization, user and webhook, and runs the flow. */

import type { Api } from '../actors/api.ts';
import { call, type Request } from '../actors/client.ts';
import { createOrganization } from '../actors/operators.ts';
import type { ReceiverBehavior } from '../actors/receiver-behavior.ts';
import type { Flow, Scene } from './flows.ts';

const minute = 60_000;
// Statuses with which a flow may end. A refused debit gets 400. After a lost answer, the retry may get 409 (user
// already created) or 404 (webhook already deleted).
const answered: unknown[] = [200, 400, 404, 409];
// Disables random habits: a fault hits a flow's nth AWS call, so all runs need the same calls.
const habits = { duplicateChance: 0, repeatChance: 0, abandonChance: 0 };

/** Prepares a flow, calls `onStart`, and runs the flow. Throws if the flow's answer has an unexpected status. */
export async function runFlow(api: Api, { prepare, act }: Flow, onStart: () => void): Promise<void> {
  const scene = await createScene(api);
  const prepared = await prepare?.(scene);
  // Waits until the effects of `prepare` have ended, and the gateway's cached authorization has expired, so that the
  // flow calls the authorizer too.
  await api.wait(2 * minute);
  onStart();
  const answer = (await act(scene, prepared)) as { status?: number } | undefined;
  if (!answered.includes(answer?.status)) {
    throw new Error(`unexpected answer of the flow: ${JSON.stringify(answer)}`);
  }
}

/** Creates an organization with a webhook whose receiver works, and a user with 50 tickets. */
export async function createScene(api: Api): Promise<Scene> {
  const receiver: ReceiverBehavior = {
    modes: { well: 1 },
    outages: [],
    lookups: [['34.1.2.3']],
    worksFrom: Infinity,
  };
  const caller = await createOrganization(api, 'flows');
  if (!caller) throw new Error('could not create the organization');
  const ask = (request: Request) => call(api, caller, request, api.random.fork(request.endpoint), habits);
  const callbackUrl = `https://hooks.example.com/${caller.organizationId}`;
  api.receivers.register(callbackUrl, receiver);
  const { webhook_id } = (await ask({
    endpoint: 'webhooks/create',
    body: { callback_url: callbackUrl, secret_key: 'a secret of the host' },
  }))!.body;
  const { user_id } = (await ask({ endpoint: 'users/create', body: { external_reference: 'one' } }))!.body;
  await ask({
    endpoint: 'tickets/credit',
    path: { user_id },
    body: { amount: 50, idempotency_key: 'start' },
  });
  return {
    api,
    organizationId: caller.organizationId,
    userId: user_id,
    webhookId: webhook_id,
    receiver,
    ask,
  };
}
