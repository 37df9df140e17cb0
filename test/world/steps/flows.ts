/** A flow is one use case of the service: optional preparations, and the request that starts the use case. */

import { dayOf } from '../../../shared/time.ts';
import type { Api } from '../actors/api.ts';
import type { Answer, Request } from '../actors/client.ts';
import type { ReceiverBehavior } from '../actors/receiver-behavior.ts';

/** The starting point of a flow: an organization with one webhook and one user, who has 50 tickets. */
export type Scene = {
  api: Api;
  organizationId: string;
  userId: string;
  webhookId: string;
  /** Behavior of the webhook's receiver. The receiver works unless the flow adds an outage. */
  receiver: ReceiverBehavior;
  /** Sends a request, and retries it as `shared/client/README.md` says, for example after a 429 or a 503. */
  ask(request: Request): Promise<Answer | undefined>;
};

/** A use case. `act` resolves with the answer, while deliveries and other effects may take longer. */
export type Flow<Prepared = unknown> = {
  prepare?: (scene: Scene) => Promise<Prepared>;
  act: (scene: Scene, prepared: Prepared) => Promise<unknown>;
  /** The only function whose calls get faults, for a flow of several days. By default, all functions. */
  faultsIn?: string;
};

const flow = <Prepared>(each: Flow<Prepared>) => each as Flow;

/** Returns a function that sends a request about the scene's user. */
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
const playToken = ({ ask }: Scene, token: string) =>
  ask({ endpoint: 'play/spin', path: { token }, body: { client_seed: 'mine' } });

const credit = user('tickets/credit', { amount: 7, idempotency_key: 'one' });
const callback = { callback_url: 'https://other.example.com/hook', secret_key: 'another secret of the host' };

/**
 * Registers a webhook. A failed request may still have registered it, so a retry follows only if the list lacks the
 * webhook.
 */
const register = async ({ ask }: Scene) => {
  const request: Request = { endpoint: 'webhooks/create', body: callback };
  const first = await ask(request);
  if (first?.status === 200) return first;
  const list = await ask({ endpoint: 'webhooks/list' });
  const registered: { callback_url: string }[] = list?.body.webhooks ?? [];
  return registered.some(({ callback_url }) => callback_url === callback.callback_url) ? list : ask(request);
};

/** Returns a function that credits tickets while the webhook's receiver has an outage of `ms` milliseconds. */
const creditDuringOutage = (ms: number, mode: 'failing' | 'hanging' | 'gone') => (scene: Scene) => {
  const from = scene.api.now();
  scene.receiver.outages.push({ from, to: from + ms, mode });
  return credit(scene);
};

// One transaction can contain at most 30 spins, so 31 spins need two transactions.
const spins = { num_of_spins: 31, idempotency_key: 'one' };
const days = { start: '2026-06-09', end: '2026-06-12' };

/** All flows by the name of their use case. */
const creditFlight = user('entries/credit', { amount: 7, type: 'flight', idempotency_key: 'one' });

const flightPrize = ['--type', 'flight', '--prize', 'A flight', '--value-usd', '900', '--claim-days', '30'];
/** Schedules close and draw the drawing, one and two days later. */
const announce = async ({ api, organizationId }: Scene): Promise<string> => {
  const day = (days: number) => new Date(api.now() + days * 86_400_000).toISOString().slice(0, 10);
  const days = ['--closes', day(0), '--draws', `${day(2)}T20:00`];
  const { printed } = await api.admin([
    'drawing',
    'announce',
    '--org',
    organizationId,
    ...flightPrize,
    ...days,
  ]);
  return printed.drawing_id;
};

export const flows: Record<string, Flow> = {
  'a user is created': flow({
    act: ({ ask }) => ask({ endpoint: 'users/create', body: { external_reference: 'new' } }),
  }),
  'a user is found': flow({
    act: ({ ask }) => ask({ endpoint: 'users/find', query: { external_reference: 'one' } }),
  }),
  'a user is read': flow({ act: user('users/get') }),
  'a summary is read': flow({ prepare: credit, act: user('users/summary') }),
  'a reference is changed': flow({ act: user('users/update', { external_reference: 'changed' }) }),
  'tickets are credited': flow({ act: credit }),
  'tickets are debited': flow({ act: user('tickets/debit', { amount: 7, idempotency_key: 'one' }) }),
  'a debit is refused': flow({ act: user('tickets/debit', { amount: 700, idempotency_key: 'one' }) }),
  'a credit is repeated': flow({ prepare: credit, act: credit }),
  'entries are credited': flow({
    act: user('entries/credit', { amount: 7, type: 'flight', idempotency_key: 'one' }),
  }),
  'entries are debited': flow({
    prepare: user('entries/credit', { amount: 7, type: 'flight', idempotency_key: 'one' }),
    act: user('entries/debit', { amount: 3, type: 'flight', idempotency_key: 'other' }),
  }),
  'a drawing is announced, closed and drawn': flow({
    prepare: creditFlight,
    act: async (scene) => {
      const drawing_id = await announce(scene);
      return scene.ask({ endpoint: 'drawings/get', path: { drawing_id } });
    },
    faultsIn: 'workers/run-drawings',
  }),
  'the prize of a drawing is forfeited': flow({
    prepare: async (scene) => {
      const { api, ask, organizationId } = scene;
      const other = await ask({ endpoint: 'users/create', body: { external_reference: 'other' } });
      await creditFlight({ ...scene, userId: String(other?.body.user_id) });
      await creditFlight(scene);
      const args = ['drawing', 'announce', '--org', organizationId, ...flightPrize, '--test'];
      return String((await api.admin(args)).printed.winners[0].prize_id);
    },
    act: ({ ask }, prize_id) =>
      ask({ endpoint: 'prizes/update', path: { prize_id }, body: { state: 'forfeited', reason: 'late' } }),
  }),
  'a drawing is read': flow({
    prepare: announce,
    act: ({ ask }, drawing_id) => ask({ endpoint: 'drawings/get', path: { drawing_id } }),
    faultsIn: 'drawings/get',
  }),
  'a closed day is read': flow({
    // Waits until the book of the scene's day is closed, an hour after midnight.
    prepare: ({ api }) => api.wait(2 * 3600_000),
    act: ({ api, ask }) => ask({ endpoint: 'books/get', path: { day: dayOf(api.now() - 4 * 3600_000) } }),
  }),
  'the prizes of a user are listed': flow({ act: user('prizes/list') }),
  'the drawings are listed': flow({ act: ({ ask }) => ask({ endpoint: 'drawings/list' }) }),
  'balances are read': flow({ prepare: credit, act: user('tickets/balance') }),
  'a history is read': flow({ prepare: credit, act: user('tickets/history') }),
  'plays are read': flow({ act: user('games/history') }),
  'eligibility is read': flow({ act: user('games/check-eligibility') }),
  'the report of tickets is read': flow({
    prepare: credit,
    act: ({ ask }) => ask({ endpoint: 'reports/tickets' }),
  }),
  'the report of outcomes is read': flow({ act: ({ ask }) => ask({ endpoint: 'reports/outcomes' }) }),
  'the report of entries is read': flow({ act: ({ ask }) => ask({ endpoint: 'reports/entries' }) }),
  'a play URL is made': flow({ act: user('games/play', { game: 'flight' }) }),
  'a play page is opened': flow({
    prepare: newToken,
    act: ({ ask }, token) => ask({ endpoint: 'play/open', path: { token } }),
  }),
  'a play URL is played': flow({ prepare: newToken, act: playToken }),
  'a play URL of a known outcome is made': flow({ act: user('debug/play', { result: 'jackpot' }) }),
  'a jackpot is played': flow({
    prepare: async (scene) => {
      const answer = await user('debug/play', { result: 'jackpot' })(scene);
      return String(answer?.body.url).split('/').at(-1)!;
    },
    act: playToken,
  }),
  'spins are queued, and run at midnight': flow({ act: user('amoe/queue', spins) }),
  "a guest's spins are queued, and run at midnight": flow({
    act: user('amoe/guest-queue', { num_of_spins: 1, idempotency_key: 'one' }),
  }),
  "a guest's spins run at once": flow({ act: user('amoe/guest-play', spins) }),
  'a webhook is registered': flow({ act: register }),
  'a webhook is changed': flow({ act: webhook('webhooks/update', callback) }),
  'a webhook is deleted': flow({ act: webhook('webhooks/delete') }),
  'a webhook is invoked': flow({ act: webhook('webhooks/invoke', { hello: 'host' }, { request_id: 'one' }) }),
  'tickets are credited, and every function starts anew': flow({
    // Waits nine hours. Lambda stops idle instances before that, so the credit needs new instances.
    prepare: ({ api }) => api.wait(9 * 3600_000),
    act: credit,
  }),
  'a delivery fails, and is tried again by the queue': flow({ act: creditDuringOutage(3000, 'failing') }),
  'a delivery hangs for 40 minutes': flow({
    act: creditDuringOutage(40 * 60_000, 'hanging'),
  }),
  'a delivery ends with a 410': flow({ act: creditDuringOutage(3000, 'gone') }),
  'the webhooks are listed': flow({ act: ({ ask }) => ask({ endpoint: 'webhooks/list' }) }),
  'events are read': flow({ act: ({ ask }) => ask({ endpoint: 'events/list' }) }),
  'page settings are read': flow({ act: ({ ask }) => ask({ endpoint: 'page/get' }) }),
  'page settings are changed': flow({
    act: ({ ask }) => ask({ endpoint: 'page/update', body: { return_url: 'myapp://wallet' } }),
  }),
  'a preview is opened': flow({
    prepare: async ({ ask }) => {
      const answer = await ask({ endpoint: 'page/get' });
      return String(answer?.body.preview_urls[0].url).split('/').at(-1)!;
    },
    act: ({ ask }, token) => ask({ endpoint: 'play/open', path: { token } }),
  }),
  'a webhook is read': flow({ act: webhook('webhooks/get') }),
  'the calls to webhooks are read': flow({
    act: ({ ask }) => ask({ endpoint: 'webhooks/history', query: days }),
  }),
  'the daily cash limit is set': flow({
    act: ({ ask }) => ask({ endpoint: 'debug/daily-cash-limit', body: { cash_limit: 5 } }),
  }),
  'queued spins run on request': flow({
    prepare: user('amoe/queue', { num_of_spins: 2, idempotency_key: 'one' }),
    act: ({ ask }) => ask({ endpoint: 'debug/spin-run' }),
  }),
  'the daily spin limit is turned off': flow({
    act: ({ ask }) => ask({ endpoint: 'debug/daily-spin-limit', body: { on: false } }),
  }),
};
