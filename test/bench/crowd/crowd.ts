/** A crowd: many users of one organization who act at the same time, in a simulated world without faults. */
import { setFlagsFromString } from 'node:v8';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { User } from '../../../shared/accounts/user.ts';
import { pathTo } from '../../../shared/api/route.ts';
import { routes } from '../../../shared/api/routes.ts';
import { newId } from '../../../shared/ids.ts';
import type { Item } from '../../../shared/table/client.ts';
import { packItem } from '../../../shared/table/codec.ts';
import { userKey } from '../../../shared/table/keys.ts';
import type { EndpointName } from '../../support/invoke.ts';
import type { Call } from '../../world/aws.ts';
import type { Bundles } from '../../world/bundles.ts';
import { tableName } from '../../world/deployment.ts';
import { createWorld, type World, type WorldOptions } from '../../world/world.ts';
import { waitMs } from '../cost/assumptions.ts';
import { createPressure, type Pressure } from './pressure.ts';

/** A response that arrived at the virtual time `at`, after `ms` milliseconds. Status 0 means no response. */
export type Answer = { endpoint: EndpointName; status: number; at: number; ms: number; body: string };

export type Crowd = {
  world: World;
  pressure: Pressure;
  createOrganization(name: string): Promise<Organization>;
  /** Advances the virtual clock until a promise settles, or by a number of milliseconds. */
  pass<T>(until: Promise<T> | number): Promise<T>;
  /** Writes items into the table without consuming write units. */
  store(items: object[]): void;
};

/** An organization of the simulated world, with functions that send requests of its host and players. */
export type Organization = {
  id: string;
  /** Sends one request to the API, without retries. Returns the response. */
  ask(endpoint: EndpointName, path: Record<string, string>, body?: object): Promise<Answer>;
  setDailyCash(usd: number): Promise<void>;
  /** Returns new users with 1,000 tickets each. Does not store the users. */
  users(count: number): Promise<User[]>;
};

// Otherwise every 64 MB of buffers start a garbage collection of all users, which takes half of the time.
setFlagsFromString('--external-memory-accounted-in-global-limit');

/** Mean time in milliseconds that the simulated network takes for a round trip to AWS. */
const roundTripMs = 5;
/** Additional milliseconds of a transaction, in DynamoDB and in the function, for each item after the fourth. */
const itemMs = 0.4;

/** Returns the milliseconds that AWS takes for a call, besides `roundTripMs`. Large transactions take more. */
function latencyMs({ operation, input }: Call): number {
  const items = input.TransactItems?.length ?? 2;
  return Math.max(0, (waitMs[operation] ?? roundTripMs) - roundTripMs) + itemMs * Math.max(0, items - 4);
}

type Options = Pick<WorldOptions, 'createFunctions' | 'streamShards'> & {
  bundles: Bundles;
  start: number;
  /** Factor by which DynamoDB's limits per partition key are multiplied. Infinity disables the limits. */
  limits: number;
};

/** Creates a simulated world without faults, so that only the load can make requests fail. */
export function createCrowd({ limits, ...options }: Options): Crowd {
  const pressure = createPressure(limits);
  const world = createWorld({
    seed: 1,
    rates: {},
    idleSweepShare: 0.25,
    throughput: pressure.throughput,
    latencyMs,
    ...options,
  });
  const { timeline, api, backends } = world;
  async function pass<T>(until: Promise<T> | number): Promise<T> {
    let isDone = false;
    const done = Promise.resolve(typeof until === 'number' ? timeline.wait(until) : until);
    const settled = done.finally(() => {
      isDone = true;
    });
    settled.catch(() => {});
    while (!isDone) {
      await timeline.runUntil(timeline.now() + 100);
      // Clears the function logs. Nothing reads them, and a large crowd's logs would fill the memory.
      api.journal.logs.length = 0;
    }
    return done as Promise<T>;
  }
  const store = (items: object[]) =>
    pressure.unseen(() => {
      for (const item of items) {
        const Item = onWire(marshall(packItem(item as Item), { removeUndefinedValues: true }));
        backends.dynamodb.call('PutItem', { TableName: tableName, Item });
      }
    });
  const crowd: Crowd = {
    world,
    pressure,
    pass,
    store,
    createOrganization: (name) => createOrganizationIn(name, crowd),
  };
  return crowd;
}

async function createOrganizationIn(name: string, crowd: Crowd): Promise<Organization> {
  const { world, pass } = crowd;
  const { admin, send, now } = world.api;
  const { printed } = await pass(admin(['org', 'create', '--name', name]));
  const id: string = printed.organization_id;
  // Sets a very high cash limit, so that cash remains. Without cash, plays would not write to the cash budget's key.
  const limits = ['--daily-cash', '100000000', '--daily-spins', 'off'];
  await pass(admin(['game', 'limits', '--org', id, ...limits]));
  const ask: Organization['ask'] = async (endpoint, path, body) => {
    const route = routes[endpoint];
    const sent = now();
    const headers = {
      'x-organization-id': id,
      authorization: `Bearer ${printed.api_key}`,
      'content-type': 'application/json',
    };
    const request = { method: route.method, path: pathTo(route, path), headers };
    const answered = send({ ...request, ...(body && { body: JSON.stringify(body) }) });
    const { status, body: text } = await answered.catch(() => ({ status: 0, body: '{}' }));
    return { endpoint, status, at: now(), ms: now() - sent, body: text };
  };
  const users: Organization['users'] = async (count) => {
    const made = await pass(ask('users/create', {}, { external_reference: `first of ${now()}` }));
    const path = { user_id: JSON.parse(made.body).user_id };
    await pass(ask('tickets/credit', path, { amount: 1000, idempotency_key: 'start' }));
    const first = [...world.items()].find(({ sk, user_id }) => sk === 'USER' && user_id === path.user_id);
    return Array.from({ length: count }, () => {
      const userId = newId('usr', now());
      return { ...first, ...userKey(id, userId), user_id: userId } as unknown as User;
    });
  };
  const setDailyCash: Organization['setDailyCash'] = async (usd) => {
    await pass(admin(['game', 'limits', '--org', id, '--daily-cash', String(usd)]));
  };
  return { id, ask, setDailyCash, users };
}

/** Returns the quantile at `share`, a fraction: 0.99 is the 99th percentile. Returns 0 for an empty list. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Returns a marshalled item as in a JSON request, with binary values in Base64. */
const onWire = (item: object) =>
  JSON.parse(
    JSON.stringify(item, function (this: Record<string, unknown>, key, value) {
      const own = this[key];
      return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
    }),
  );
