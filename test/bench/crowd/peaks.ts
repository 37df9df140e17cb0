/**
 * Puts a constant load on one organization. Measures the units that partition keys consume, and the responses to users.
 */

import { pollQueue } from '../../../infra/develop/local/aws/queue-source.ts';
import { appendRecord } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import type { Bundles } from '../../world/bundles.ts';
import { type Answer, type Crowd, createCrowd, type Organization, quantile } from './crowd.ts';
import { sharedInstances } from './functions.ts';
import type { Heat } from './pressure.ts';

/** Name of a kind of load: credits, plays, orders or webhook calls. */
export type Load = keyof typeof loads;
export type Options = {
  bundles: Bundles;
  /** Number of users who act per second, before `part` is applied. */
  rate: number;
  /** Fraction of the load, and of DynamoDB's limits, that is simulated. Results are scaled up to the whole load. */
  part: number;
  /**
   * Whether DynamoDB throttles keys. Without throttling, a run shows how many units the load needs. With throttling, it
   * shows how many requests fail.
   */
  isLimited: boolean;
};
/** Result of a run: hottest keys, responses to users, and number of function instances. */
export type Peak = { hottest: Heat[]; got: Responses[]; instances: number };
/** Responses to one kind of request: number, shares of successes and refusals, and latency in milliseconds. */
export type Responses = {
  what: string;
  asked: number;
  success: number;
  refused: number;
  p50: number;
  p99: number;
};

/** Requests a second per warm function instance, because a request takes about 20 ms. */
const ofInstance = 50;
const ofStreamShard = 300;
/** Duration of the load: long enough for one full second after `before`. DynamoDB's limits apply per second. */
const loadSeconds = 1.5;
/** Seconds of load before the measured second. */
const before = 0.5;
const minute = 60_000;

/** Sends a user's requests. Returns no responses for the load `calls`, whose webhook calls the receiver counts. */
type Act = (who: User, organization: Organization, crowd: Crowd) => Promise<Answer[]>;

export const loads = {
  credits: async ({ user_id }, { ask }) => [
    await ask('tickets/credit', { user_id }, { amount: 1, idempotency_key: 'peak' }),
  ],
  async plays({ user_id }, { ask }) {
    const made = await ask('games/play', { user_id }, { game: 'prizewheel', lang: 'en' });
    const [, token] = /\/play\/([^/"]+)"/.exec(made.body) ?? [];
    if (!token) return [made];
    const opened = await ask('play/open', { token });
    return [made, opened, await ask('play/spin', { token }, { client_seed: 'peak' })];
  },
  orders: async ({ user_id }, { ask }) => [
    await ask('amoe/queue', { user_id }, { num_of_spins: 10, idempotency_key: 'peak' }),
  ],
  async calls(user, _, { store, world }) {
    // Stores the record directly, because a credit request would also cause load on keys that webhooks do not use.
    const now = world.timeline.now();
    const change = { amount: 1, balance_after: 1, description: 'peak', idempotency_key: 'peak' };
    const fields = {
      ...change,
      kind: 'tickets' as const,
      result_effective_date: new Date(now).toISOString(),
    };
    store([appendRecord(user, fields, now).record]);
    return [];
  },
} satisfies Record<string, Act>;

/** Runs a load. Returns the hottest partition keys, the responses to users, and the number of function instances. */
export async function runPeak(load: Load, { bundles, rate: whole, part, isLimited }: Options): Promise<Peak> {
  // A part of the load causes disproportionately few transaction conflicts, so scaled-up results show too few.
  const rate = whole * part;
  // Scales DynamoDB's limits. No run simulates the account's limit on concurrent Lambda invocations, or API Gateway's
  // throttling.
  const limits = isLimited ? part : Number.POSITIVE_INFINITY;
  const createFunctions = sharedInstances(Math.ceil(rate / ofInstance));
  const start = Date.parse('2026-11-23T04:50:00Z');
  const streamShards = Math.ceil(rate / ofStreamShard);
  const crowd = createCrowd({ bundles, start, limits, createFunctions, streamShards });
  const { world, pass, pressure } = crowd;
  const organization = await crowd.createOrganization('large');
  if (load === 'calls') await listen(crowd, organization, isLimited);
  const count = Math.round(rate * loadSeconds);
  const users = await organization.users(count);
  crowd.store(users);
  await pass(2000 - ((world.timeline.now() + before * 1000) % 1000));
  pressure.hottest();
  world.api.journal.receiverCalls.length = 0;
  const answers: Answer[] = [];
  const began = world.timeline.now();
  const act = loads[load] as Act;
  const all = users.map(async (user, index) => {
    await world.timeline.wait((index * 1000) / rate);
    answers.push(...(await act(user, organization, crowd)));
  });
  await pass(Promise.all(all));
  const got = load === 'calls' ? [await waitForCalls(crowd, began, count)] : responsesOf(answers);
  const hottest = pressure.hottest().map(({ units, share, refused, ...of }) => ({
    ...of,
    units: units / part,
    share: share / part,
    refused: refused / part,
  }));
  return { hottest, got, instances: world.lambda.started() };
}

const callback = 'https://host.example.com/hook';

/** Registers a webhook. If no limits apply, also adds an event source that invokes `send-webhook` more often. */
async function listen({ world, pass }: Crowd, { ask }: Organization, isLimited: boolean): Promise<void> {
  const { api, timeline, backends, lambda } = world;
  api.receivers.register(callback, {
    modes: { well: 1 },
    outages: [],
    lookups: [['93.184.215.14']],
    worksFrom: 0,
  });
  await pass(ask('webhooks/create', {}, { callback_url: callback, secret_key: 'a secret of the host' }));
  if (isLimited) return;
  // Lets 2,000 more invocations run concurrently, so that the worker's own concurrency limit does not slow the calls.
  const queue = backends.queues.get('deliveries');
  const invoke = (event: unknown) => lambda.invoke('workers/send-webhook', event);
  pollQueue({ queue, invoke, batchSize: 10, concurrency: 2000, clock: timeline });
}

/**
 * Waits at most two minutes for each record's webhook call. Returns the share of records with a call, and latencies.
 */
async function waitForCalls({ world, pass }: Crowd, began: number, count: number): Promise<Responses> {
  const { receiverCalls } = world.api.journal;
  const first = new Map<string, number>();
  const patience = began + 2 * minute;
  for (let seen = 0; first.size < count && world.timeline.now() < patience; ) {
    await pass(100);
    for (; seen < receiverCalls.length; seen++) {
      const { at, body } = receiverCalls[seen]!;
      const { id, timestamp } = JSON.parse(body);
      if (!first.has(id)) first.set(id, at - Date.parse(timestamp));
    }
  }
  const ms = [...first.values()];
  return {
    what: 'call',
    asked: count,
    success: first.size / count,
    refused: 0,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
  };
}

function responsesOf(answers: Answer[]): Responses[] {
  const byEndpoint = Map.groupBy(answers, ({ endpoint }) => endpoint);
  return [...byEndpoint].map(([what, all]) => {
    const shareOf = (...statuses: number[]) =>
      all.filter(({ status }) => statuses.includes(status)).length / all.length;
    const ms = all.map((answer) => answer.ms);
    return {
      what,
      asked: all.length,
      success: shareOf(200),
      refused: shareOf(429, 503),
      p50: quantile(ms, 0.5),
      p99: quantile(ms, 0.99),
    };
  });
}
