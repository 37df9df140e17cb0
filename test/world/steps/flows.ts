/** Everything that the service does, each as one flow: what has to be there before, and what somebody then does. */
import type { Answer, Request } from '../inhabitants/calls.ts';
import type { Character } from '../inhabitants/characters.ts';
import type { Api } from '../inhabitants/surroundings.ts';

/** What a flow has to do with: an organization with a user who has 50 tickets, and a webhook. */
export type Scene = {
  api: Api;
  userId: string;
  webhookId: string;
  /** The receiver behind the webhook, which is well until it is told otherwise. */
  receiver: Character;
  /** Sends a request, again and again until it is answered for good. */
  ask(request: Request): Promise<Answer | undefined>;
};

/** A flow. `act` ends when its answer is there; what follows from it may take longer. */
export type Flow<Prepared = unknown> = {
  prepare?: (scene: Scene) => Promise<Prepared>;
  act: (scene: Scene, prepared: Prepared) => Promise<unknown>;
};

const flow = <Prepared>(each: Flow<Prepared>) => each as Flow;

/** A request about the user. */
const user =
  (endpoint: Request['endpoint'], body?: object, query?: Record<string, string>) =>
  ({ ask, userId }: Scene) =>
    ask({ endpoint, path: { user_id: userId }, ...(body && { body }), ...(query && { query }) });

const webhook =
  (endpoint: Request['endpoint'], body?: object, query?: Record<string, string>) =>
  ({ ask, webhookId }: Scene) =>
    ask({ endpoint, path: { webhook_id: webhookId }, ...(body && { body }), ...(query && { query }) });

const newToken = async (scene: Scene) => {
  const answer = await user('games/play', { game: 'truck', lang: 'es' })(scene);
  return String(answer?.body.url).split('/').at(-1)!;
};
const spun = ({ ask }: Scene, token: string) =>
  ask({ endpoint: 'play/spin', path: { token }, body: { client_seed: 'mine' } });

const credit = user('tickets/credit', { amount: 7, idempotency_key: 'one' });
const callback = { callback_url: 'https://other.example.com/hook', secret_key: 'another secret of the host' };

/** The answers of a receiver that is not well: all calls fail for so long. */
const failsFor = (ms: number, mood: 'failing' | 'hanging' | 'gone') => async (scene: Scene) => {
  const from = scene.api.now();
  scene.receiver.outages.push({ from, to: from + ms, mood });
};

/** All flows, by their names. */
export const flows: Record<string, Flow> = {
  'a user is created': flow({
    act: ({ ask }) => ask({ endpoint: 'users/create', body: { external_reference: 'new' } }),
  }),
  'a reference is changed': flow({ act: user('users/update', { external_reference: 'changed' }) }),
  'tickets are credited': flow({ act: credit }),
  'tickets are debited': flow({ act: user('tickets/debit', { amount: 7, idempotency_key: 'one' }) }),
  'a debit is refused': flow({ act: user('tickets/debit', { amount: 700, idempotency_key: 'one' }) }),
  'a credit is repeated': flow({ prepare: credit, act: credit }),
  'entries are credited': flow({
    act: user('entries/credit', { amount: 7, type: 'flight', idempotency_key: 'one' }),
  }),
  'balances are read': flow({ prepare: credit, act: user('tickets/balance') }),
  'a history is read': flow({ prepare: credit, act: user('tickets/history') }),
  'a report is read': flow({ prepare: credit, act: ({ ask }) => ask({ endpoint: 'reports/tickets' }) }),
  'a play URL is made': flow({ act: user('games/play', { game: 'flight' }) }),
  'a play page is opened': flow({
    prepare: newToken,
    act: ({ ask }, token) => ask({ endpoint: 'play/open', path: { token } }),
  }),
  'a play URL is played': flow({ prepare: newToken, act: spun }),
  'a jackpot is played': flow({
    prepare: async (scene) => {
      const answer = await user('debug/play', { result: 'jackpot' })(scene);
      return String(answer?.body.url).split('/').at(-1)!;
    },
    act: spun,
  }),
  'spins are queued, and run at midnight': flow({
    act: user('amoe/queue', { num_of_spins: 65, idempotency_key: 'one' }),
  }),
  "a guest's spins run at once": flow({
    act: user('amoe/guest-play', { num_of_spins: 65, idempotency_key: 'one' }),
  }),
  'a webhook is registered': flow({ act: ({ ask }) => ask({ endpoint: 'webhooks/create', body: callback }) }),
  'a webhook is changed': flow({ act: webhook('webhooks/update', callback) }),
  'a webhook is deleted': flow({ act: webhook('webhooks/delete') }),
  'a webhook is invoked': flow({ act: webhook('webhooks/invoke', { hello: 'host' }, { request_id: 'one' }) }),
  'a delivery fails, and is tried again by the queue': flow({
    prepare: failsFor(3000, 'failing'),
    act: credit,
  }),
  'a delivery fails, and is tried again by a schedule': flow({
    prepare: failsFor(40 * 60_000, 'hanging'),
    act: credit,
  }),
  'a delivery ends with a 410': flow({ prepare: failsFor(3000, 'gone'), act: credit }),
};
