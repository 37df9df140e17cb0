/**
 * One organization at so many of one thing a second: which keys of the table break first, and what users get.
 *
 * A load begins half a second before a whole second and goes on until that is over: so every key has a full second of
 * it, which is its peak. It is run twice. Without limits the keys show what is demanded of them. With limits users show
 * what they get of it: nobody repeats a request that was refused, and functions try again for as long as they do.
 *
 * Of a load a part may be run, against as small a part of each limit, and units are said of the whole (too
 * many of keys that the load does not share, as a user's): ten thousand users who are refused again and again
 * take a processor many minutes. Whoever waits for one item (the day's cash) meets fewer others so, and fares
 * better than in truth; all else is the same (of credits with limits 87 of 100 succeed as a whole and as a
 * tenth). A load that lasts longer is refused more: no larger share of it is carried than the limit of its
 * hottest key is of what that demands.
 *
 * Each function has an instance for every 50 things a second, which is what requests of 20 ms take; it is
 * warm, and serves any number at a time, so that those that wait for units need no more of them. What an
 * instance remembers it has not met before. Lambda's concurrency and API Gateway's limits are left out. The
 * stream has a shard for every 300 things a second, about as many as DynamoDB has partitions for them; how
 * often publish-events asks for webhooks depends on that.
 */

import { pollQueue } from '../../../infra/develop/local/aws/queue-source.ts';
import { append } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import type { Bundles } from '../../world/bundles.ts';
import { type Answer, type Crowd, createCrowd, type Organization, quantile } from './crowd.ts';
import { sharedInstances } from './functions.ts';
import type { Heat } from './pressure.ts';

/** What a crowd does, by its name. */
export type Load = keyof typeof loads;
/** How a load is run. */
export type Options = {
  bundles: Bundles;
  /** Things a second. */
  rate: number;
  /** The part of it that is run, against as small a part of each limit; what comes out is said of the whole. */
  part: number;
  /** Chains of the day's cash. */
  chains: number;
  isLimited: boolean;
};
/** What a load came to. */
export type Peak = { hottest: Heat[]; got: Got[]; instances: number };
/** What users got of one thing: how many asked, the shares of answers, and how long they took, in milliseconds. */
export type Got = { what: string; asked: number; success: number; refused: number; p50: number; p99: number };

const ofInstance = 50;
const ofStreamShard = 300;
/** A load's length, and how much of it lies before the second that is looked at. */
const seconds = 1.5;
const before = 0.5;
const minute = 60_000;

/** What one user does, and how it is answered; for `calls` there are no answers, but calls to a receiver. */
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
    // Of nobody's request: its own writes would press other keys than those of webhooks.
    const now = world.timeline.now();
    const change = { amount: 1, balance_after: 1, description: 'peak', idempotency_key: 'peak' };
    const said = { ...change, kind: 'tickets' as const, result_effective_date: new Date(now).toISOString() };
    store([append(user, said, now).record]);
    return [];
  },
} satisfies Record<string, Act>;

/** Runs a load. */
export async function runPeak(
  load: Load,
  { bundles, rate: whole, part, chains, isLimited }: Options,
): Promise<Peak> {
  const rate = whole * part;
  const limits = isLimited ? part : Number.POSITIVE_INFINITY;
  const createFunctions = sharedInstances(Math.ceil(rate / ofInstance));
  // Ten minutes before a midnight in New York, with which a day's cash comes to have chains.
  const start = Date.parse('2026-11-23T04:50:00Z');
  const streamShards = Math.ceil(rate / ofStreamShard);
  const crowd = createCrowd({ bundles, start, limits, createFunctions, streamShards });
  const { world, pass, pressure } = crowd;
  const organization = await crowd.found('large');
  if (load === 'calls') await listen(crowd, organization, isLimited);
  if (chains > 1) {
    await organization.setCashChains(chains);
    await pass(15 * minute);
  }
  const count = Math.round(rate * seconds);
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
  const got = load === 'calls' ? [await heard(crowd, began, count)] : gotOf(answers);
  const hottest = pressure.hottest().map(({ units, share, refused, ...of }) => ({
    ...of,
    units: units / part,
    share: share / part,
    refused: refused / part,
  }));
  return { hottest, got, instances: world.lambda.started() };
}

const callback = 'https://host.example.com/hook';

/** Registers a webhook with a receiver that is well. Without limits, there are as many senders as it takes. */
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
  const queue = backends.queues.get('deliveries');
  const invoke = (event: unknown) => lambda.invoke('events/send-webhook', event);
  pollQueue({ queue, invoke, batchSize: 10, concurrency: 2000, clock: timeline });
}

/** What the receiver heard of records since a time, each once, within two minutes. */
async function heard({ world, pass }: Crowd, began: number, count: number): Promise<Got> {
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

function gotOf(answers: Answer[]): Got[] {
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
