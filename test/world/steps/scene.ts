/** The scene in which flows play. */
import { call, type Request } from '../inhabitants/calls.ts';
import type { Character } from '../inhabitants/characters.ts';
import { createOrganization } from '../inhabitants/operators.ts';
import type { Api } from '../inhabitants/surroundings.ts';
import type { Flow, Scene } from './flows.ts';

const minute = 60_000;
// A 400 is a refusal. The other two are what a host is told that repeats what was done before, and whose answer it did
// not get: the user is there already, or the webhook is gone.
const answered: unknown[] = [200, 400, 404, 409];
// Nobody gives up, and nobody sends twice what has been answered.
const habits = { twiceAtOnce: 0, onceMore: 0, givesUp: 0 };

/** Prepares a flow, says so, and has it happen. Throws if it was not answered as it should be in the end. */
export async function live(api: Api, { prepare, act }: Flow, acting: () => void): Promise<void> {
  const scene = await sceneIn(api);
  const prepared = await prepare?.(scene);
  // What follows from the preparation is over by then, and so is what the gateway remembers.
  await api.wait(2 * minute);
  acting();
  const answer = (await act(scene, prepared)) as { status?: number } | undefined;
  if (!answered.includes(answer?.status)) {
    throw new Error(`the flow came to ${JSON.stringify(answer)}`);
  }
}

async function sceneIn(api: Api): Promise<Scene> {
  const receiver: Character = {
    moods: { well: 1 },
    outages: [],
    lookups: [['34.1.2.3']],
    wellFrom: Infinity,
  };
  const caller = await createOrganization(api, 'flows');
  if (!caller) throw new Error('there is no organization');
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
  return { api, userId: user_id, webhookId: webhook_id, receiver, ask };
}
