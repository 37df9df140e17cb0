/** Requests and jobs that decide a draw, a price, a limit, a date or a user, or replay a stored reply. */
import { randomUUID } from 'node:crypto';
import { handler as authorizer } from '../../../functions/authorizer.ts';
import type { OrderRecord } from '../../../shared/accounts/records.ts';
import { decidedRound } from '../../../shared/amoe/beacon.ts';
import { dueKeyOf } from '../../../shared/amoe/open-orders.ts';
import { BeaconUnavailable } from '../../../shared/amoe/relays.ts';
import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import { adjustBalance } from '../../../shared/operations/adjust-balance.ts';
import { cancelSpins, restoreSpins } from '../../../shared/operations/cancel-spins.ts';
import { changeSettings } from '../../../shared/operations/change-settings.ts';
import { limitWebhook } from '../../../shared/operations/change-webhook.ts';
import { createOrganization } from '../../../shared/operations/create-organization.ts';
import { freezeUser, unfreezeUser } from '../../../shared/operations/freeze.ts';
import { makeScheduledChanges, scheduleChange } from '../../../shared/operations/scheduled-changes.ts';
import { restorePlay, voidPlay } from '../../../shared/operations/void-plays.ts';
import { shardOf } from '../../../shared/shards.ts';
import { stageBeacon } from '../../../shared/stage-beacon.ts';
import { client } from '../../../shared/table/client.ts';
import {
  idempotencyItemKey,
  type Key,
  prizeTableKey,
  type Resource,
  userKey,
} from '../../../shared/table/keys.ts';
import { readRange } from '../../../shared/table/ranges.ts';
import { invocationsInShards, webhookKey } from '../../../shared/table/webhook-keys.ts';
import { addDays, dayOf, startOfDay } from '../../../shared/time.ts';
import { watchingCalls } from '../../support/calls.ts';
import { closeAndRun } from '../../support/close-and-run.ts';
import { type EndpointName, type InvokeRequest, invoke } from '../../support/invoke.ts';
import { prizeOf } from '../../support/prize.ts';
import { putPrizeTable } from '../../support/put-prize-table.ts';
import { makeUser } from '../../support/round-trips.ts';

const now = Date.now();
const today = dayOf(now);
const hourMs = 3_600_000;
const by = { operator: 'test', now: startOfDay(today) - 36 * hourMs };

/** Creates an organization with cash chains, limited stock and a limit of wins, so that draws read all these items. */
export async function newPlace() {
  const { organization_id: organizationId, api_key: apiKey } = await createOrganization('Test', 'local', by);
  const limits = { daily_win_limit: 500, daily_spin_limit: 500, cash_chains: 2, daily_cash_limit_usd: 5000 };
  await changeSettings(organizationId, limits, by);
  const prizes = [prizeOf('cash_usd', 1, 1), { ...prizeOf('prize_imt', 1, 1), stock: 1000 }];
  await putPrizeTable(organizationId, 'prizewheel', prizes, by);
  return { organizationId, apiKey };
}
type Place = Awaited<ReturnType<typeof newPlace>>;

/**
 * Runs a flow. Throws if the service refuses it. `reads` lists the items that the flow reads, if a dry run (which
 * refuses all writes) would not reach all of them.
 */
export type Attempt = (() => Promise<unknown>) & { reads?: Key[] };
export type Flow = (place: Place) => Promise<Attempt>;

async function answered(name: EndpointName, request: InvokeRequest) {
  const answer = await invoke(name, { now, ...request });
  if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`);
  return answer.body;
}

/** Creates a user who has won cash and stock, so that the items of all budgets exist. */
async function winner({ organizationId }: Place): Promise<string> {
  const userId = await makeUser(organizationId, 500);
  const won = new Set<string>();
  while (won.size < 2) {
    const path = await urlOf(organizationId, userId);
    const { outcome } = await answered('play/spin', { organizationId, path, body: {} });
    won.add(Object.keys(outcome.prize)[0]!);
  }
  return userId;
}

async function urlOf(organizationId: string, user_id: string) {
  const { url } = await answered('games/play', { organizationId, path: { user_id } });
  return { token: String(url).split('/').at(-1)! };
}

const ofUser =
  (name: EndpointName, body?: object, userOf = winner): Flow =>
  async (place) => {
    const request = { organizationId: place.organizationId, path: { user_id: await userOf(place) }, body };
    return () => answered(name, request);
  };

const ofUrl =
  (name: EndpointName): Flow =>
  async (place) => {
    const { organizationId } = place;
    const path = await urlOf(organizationId, await winner(place));
    return () => answered(name, { organizationId, path, body: name === 'play/spin' ? {} : undefined });
  };

async function queued(place: Place) {
  const { organizationId } = place;
  const userId = await winner(place);
  const body = { num_of_spins: 2, idempotency_key: 'a' };
  await answered('amoe/queue', { organizationId, path: { user_id: userId }, body });
  return { organizationId, userId };
}

const run: Flow = async () => {
  // Uses its own organization, because `closeAndRun` also runs the orders of other users in the shard.
  const { organizationId: organization_id, userId } = await queued(await newPlace());
  const day = addDays(today, 1);
  const clock = { now: () => startOfDay(day) + hourMs, timeIsUp: () => false };
  return async () => {
    const { spins } = await closeAndRun({ organization_id, shard: shardOf(userId), day }, clock);
    if (spins === 0) throw new Error('no spin ran');
  };
};

/** Repeats a guest's request whose first attempt stopped after one transaction, so that spins remain to be run. */
const repeatedGuestPlay: Flow = async (place) => {
  const { organizationId } = place;
  const path = { user_id: await winner(place) };
  const request = { organizationId, path, body: { num_of_spins: 60, idempotency_key: 'a' } };
  let transactions = 0;
  const cutOff = new Error('cut off');
  await watchingCalls(
    client,
    () => answered('amoe/guest-play', request),
    ({ operation }) =>
      operation === 'TransactWriteItems' && ++transactions > 1 ? { instead: cutOff } : undefined,
  ).catch(() => {});
  const items = (await readRange({
    partition: userKey(organizationId, path.user_id).pk,
    prefix: '',
  })) as (Key & Partial<OrderRecord>)[];
  const found = items.filter(({ sk }) => /^(IDEM#spins|ORDERS)#/.test(sk));
  const due = found.filter(({ kind }) => kind === 'orders').map((order) => dueKeyOf(order as OrderRecord));
  return Object.assign(() => answered('amoe/guest-play', request), { reads: [...found, ...due] });
};

const scheduled: Flow = async ({ organizationId }) => {
  const change = { from: now - hourMs, changes: { cost_truck: 7 } };
  await scheduleChange(organizationId, change, { ...by, now: by.now + hourMs });
  return () => makeScheduledChanges(() => now, organizationId);
};

/** Stores the result of a beacon round: its signature or, if `isOut`, that the round is unavailable. Then reads it. */
const beaconRound =
  (isOut: boolean): Flow =>
  async () => {
    const beacon = stageBeacon()!;
    const round = 1_000_000 + Math.floor(Math.random() * 1_000_000);
    const unavailable = () => Promise.reject(new BeaconUnavailable('test'));
    await decidedRound(beacon, round, now, isOut ? unavailable : undefined);
    return () => decidedRound(beacon, round, now, unavailable);
  };

const restoredSpins: Flow = async (place) => {
  const spins = await queued(place);
  await cancelSpins(spins, by);
  return () => restoreSpins(spins, by);
};

const restoredPlay: Flow = async (place) => {
  const { organizationId } = place;
  const { token } = await urlOf(organizationId, await winner(place));
  await voidPlay(organizationId, token, by);
  return () => restorePlay(organizationId, token, by);
};

const withKey: Flow = async ({ apiKey }) => {
  const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:abcdef/local/GET/';
  return () => authorizer({ headers: { authorization: `Bearer ${apiKey}` }, methodArn } as never);
};

const change = { amount: 1, idempotency_key: 'one' };
const spins = { num_of_spins: 1, idempotency_key: 'one' };
const aUser = ({ organizationId }: Place) => makeUser(organizationId, 5);

const prizeTable: Flow = async ({ organizationId }) => {
  const prizes = [prizeOf('tickets', 1, 1 + Math.floor(Math.random() * 1_000_000))];
  const version = await putPrizeTable(organizationId, 'truck', prizes, by);
  const reads = [prizeTableKey(organizationId, 'truck', version)];
  return Object.assign(() => readPrizeTable(organizationId, 'truck', version), { reads });
};

const found: Flow = async ({ organizationId }) => {
  const reference = { external_reference: randomUUID() };
  await answered('users/create', { organizationId, body: reference });
  return () => answered('users/find', { organizationId, query: reference });
};

/** Repeats a request with an idempotency key, so that its stored reply is returned. */
const repeated =
  (name: EndpointName, resource: Resource, body: typeof change): Flow =>
  async ({ organizationId, ...place }) => {
    const userId = await aUser({ organizationId, ...place });
    const request = { organizationId, path: { user_id: userId }, body };
    await answered(name, request);
    const reads = [
      userKey(organizationId, userId),
      idempotencyItemKey(organizationId, userId, resource, body.idempotency_key),
    ];
    return Object.assign(() => answered(name, request), { reads });
  };

/** Makes a request about a webhook, which has an invocation with the request id `sent`. */
const ofWebhook =
  (name: EndpointName, more: Partial<InvokeRequest> = {}): Flow =>
  async ({ organizationId }) => {
    const { path } = await webhookOf(organizationId);
    await answered('webhooks/invoke', { organizationId, path, body: {}, query: { request_id: 'sent' } });
    return () => answered(name, { organizationId, path, ...more });
  };

const webhookFields = { callback_url: 'https://hooks.example.com/in', secret_key: 'a secret' };

async function webhookOf(organizationId: string) {
  const { webhook_id } = await answered('webhooks/create', { organizationId, body: webhookFields });
  return { path: { webhook_id: String(webhook_id) } };
}

export const flows: Record<string, Flow> = {
  'a user found by reference': found,
  'a play URL': ofUser('games/play'),
  'a forced play': ofUser('debug/play', { result: 'tickets_only' }, aUser),
  'a page': ofUrl('play/open'),
  'a play': ofUrl('play/spin'),
  'the eligibility': ofUser('games/check-eligibility'),
  'a summary': ofUser('users/summary', undefined, aUser),
  'queued spins': ofUser('amoe/queue', spins),
  'the run of queued spins': run,
  "a guest's spins": ofUser('amoe/guest-play', spins),
  "a guest's repeated request": repeatedGuestPlay,
  'a beacon round': beaconRound(false),
  'a beacon round without a signature': beaconRound(true),
  'a credit of tickets': ofUser('tickets/credit', change, aUser),
  'a debit of tickets': ofUser('tickets/debit', change, aUser),
  'a credit of entries': ofUser('entries/credit', change, aUser),
  'a repeated credit of tickets': repeated('tickets/credit', 'tickets', change),
  'a repeated debit of all tickets': repeated('tickets/debit', 'tickets', { ...change, amount: 5 }),
  'a repeated credit of entries': repeated('entries/credit', 'entries', change),
  'another reference': ofUser('users/update', { external_reference: 'other' }, aUser),
  'a prize table': prizeTable,
  'a limit': async ({ organizationId }) => {
    return () => answered('debug/daily-cash-limit', { organizationId, body: { cash_limit: 7000 } });
  },
  'a calendar that is ahead': async ({ organizationId }) => {
    return () => answered('debug/days-ahead', { organizationId, body: { days_ahead: 1 } });
  },
  'a reset': async () => {
    const { organizationId, ...place } = await newPlace();
    // Caches the prize tables, whose genuine prizes a reset then copies.
    await winner({ organizationId, ...place });
    return () => answered('debug/reset', { organizationId });
  },
  'a scheduled change': scheduled,
  'an API key': withKey,
  'a webhook': ofWebhook('webhooks/get'),
  'a changed webhook': ofWebhook('webhooks/update', { body: { ...webhookFields, secret_key: 'another' } }),
  'an invocation': ofWebhook('webhooks/invoke', { body: {}, query: { request_id: 'other' } }),
  'a repeated invocation': async () => {
    // Uses its own organization, so that there is only one invocation.
    const { organizationId } = await newPlace();
    const { path } = await webhookOf(organizationId);
    const request = { organizationId, path, body: {}, query: { request_id: 'sent' } };
    await answered('webhooks/invoke', request);
    const ranges = invocationsInShards(organizationId);
    const invocations = (await Promise.all(ranges.map((range) => readRange(range)))).flat();
    const reads = [webhookKey(organizationId, path.webhook_id), ...(invocations as Key[])];
    return Object.assign(() => answered('webhooks/invoke', request), { reads });
  },
  "a webhook's limit": async ({ organizationId }) => {
    const { path } = await webhookOf(organizationId);
    return () => limitWebhook(organizationId, path.webhook_id, 7, by);
  },
  'an adjustment': async (place) => {
    const adjustment = { userId: await aUser(place), account: 'tickets' as const, amount: 1 };
    return () => adjustBalance({ organizationId: place.organizationId, ...adjustment }, by);
  },
  'the end of a freeze': async (place) => {
    const userId = await aUser(place);
    await freezeUser(place.organizationId, userId, by);
    return () => unfreezeUser(place.organizationId, userId, by);
  },
  'the restoring of spins': restoredSpins,
  'the restoring of a play URL': restoredPlay,
};
