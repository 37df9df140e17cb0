/** Runs the workload of a world: the actions of hosts, players and operators. */
import type { Random } from '../../support/random.ts';
import { hourMs, minuteMs, runOnSchedule } from './action-times.ts';
import {
  drawAction,
  drawWeights,
  hostActions,
  operatorActions,
  userActions,
  type Weights,
} from './actions.ts';
import type { Api } from './api.ts';
import { creditTickets } from './balances.ts';
import { type ClientHabits, forkRandom } from './client.ts';
import { backgroundTasksDone, type Host, isDeserted, pickOrUndefined, type User } from './host.ts';
import { sendEveryInvalidRequest } from './invalid-requests.ts';
import { createOrganization } from './operators.ts';
import { drawNeglect, drawOutages } from './receiver-behavior.ts';
import { onCall } from './runbooks.ts';
import { firstBudgets } from './settings.ts';
import { createUser } from './users.ts';
import { register, update } from './webhooks.ts';

export type Options = {
  /** End of the workload in epoch milliseconds. From then on, receivers work without faults. */
  until: number;
  organizations: number;
  /** Number of users in all organizations together. */
  users: number;
  /** Average number of a host's actions per day for each user. */
  actionsPerDay: number;
  /** Average number of actions per day that each host takes for its organization. */
  hostActionsPerDay: number;
  /** Average number of actions per day that operators take for each organization. */
  operatorActionsPerDay: number;
  /** Fraction of actions that wait for a critical moment such as midnight (`moments.ts`). */
  momentShare: number;
  /** Each user is created at a random time within this many milliseconds from the start. */
  arrivalMs: number;
  /** Maximum number of webhooks per organization. */
  webhooks: number;
  /** True if webhook receivers have no main fault. They still have outages, and a few fail for one event type. */
  hasReliableReceivers: boolean;
  habits: ClientHabits;
  weights: Weights;
};

/** Draws the options that are missing in `given`. */
export function drawWorkload(random: Random, given: Partial<Options> & { until: number }): Options {
  // Draws a number even if `given` has one, so that later random values stay the same.
  const drawn = random.pick([1, 3, 10, 30, 100]);
  const users = given.users ?? drawn;
  const organizations = random.pick([1, 2, 2, 3]);
  const isLarge = users > 100;
  return {
    // Large worlds have one organization to save time. Only smaller worlds can find leaks between organizations.
    organizations: isLarge ? 1 : organizations,
    users,
    // Limits the actions of all users together to 60 a day (20 in large worlds). Many short runs find more bugs than
    // one long run.
    actionsPerDay: Math.min(random.pick([1, 3, 10]), (isLarge ? 20 : 60) / users),
    hostActionsPerDay: random.pick([2, 10, 20]),
    operatorActionsPerDay: random.pick([1, 4, 20]),
    momentShare: random.pick([0, 0.1, 0.3, 0.6]),
    arrivalMs: random.pick([minuteMs, hourMs, 12 * hourMs]),
    // A large world has at most one webhook, with a reliable receiver. Deliveries to failing receivers would take most
    // of the world's time.
    webhooks: isLarge ? 1 : random.pick([0, 1, 2, 4, 4]),
    hasReliableReceivers: isLarge,
    habits: {
      duplicateChance: random.pick([0, 0.02, 0.2]),
      repeatChance: random.pick([0, 0.02, 0.2]),
      abandonChance: random.pick([0, 0.1, 0.5]),
    },
    weights: drawWeights(random),
    ...given,
  };
}

/** Runs the workload. Resolves when all actors have stopped and received their answers. */
export async function runWorkload(api: Api, options: Options): Promise<void> {
  const hosts: Host[] = [];
  const operators = onCall(api, api.random.fork('on call'), options.until);
  const lives = Array.from({ length: options.organizations }, (_, index) =>
    runHost(api, index, hosts, options),
  );
  await Promise.all([operators, ...lives]);
}

async function runHost(api: Api, index: number, hosts: Host[], options: Options): Promise<void> {
  const name = `host${index}`;
  const random = api.random.fork(name);
  const host = await createHost(api, name, hosts, options, random);
  if (!host) return;
  hosts.push(host);
  const { until, momentShare, hostActionsPerDay, operatorActionsPerDay, weights } = options;
  const schedule = (perDay: number) => ({ perDay, until, momentShare });
  const hosting = random.fork('hosting');
  const operating = random.fork('operating');
  await Promise.all([
    ...userNamesOf(name, index, options).map((user) => runUser(host, user, random.fork(user), options)),
    weights.register > 0 ? firstWebhook(host, random.fork('first webhook')) : undefined,
    weights.setLimits > 0 ? firstBudgets(host, random.fork('first budgets')) : undefined,
    runEachAction(host, random.fork('each'), options),
    runOnSchedule(api, hosting, schedule(hostActionsPerDay), async () => {
      const action = drawAction(hostActions, weights, hosting);
      if (action) await hostActions[action](host, forkRandom(hosting));
    }),
    runOnSchedule(api, operating, schedule(operatorActionsPerDay), async () => {
      const action = drawAction(operatorActions, weights, operating);
      if (action && !isDeserted(host)) await operatorActions[action](host, forkRandom(operating));
    }),
  ]);
  await backgroundTasksDone(host);
  const [user] = host.users;
  if (user && weights.sendInvalidRequest > 0)
    await sendEveryInvalidRequest(host, user, random.fork('mistakes'));
  if (user && weights.creditTickets > 0) await sendFinalEvent(host, user, random.fork('last word'), until);
}

/**
 * Registers a host's first webhook and updates it. Most updates replace the secret, so this happens in most worlds. A
 * neglected host gets a second webhook if it may have one.
 */
async function firstWebhook(host: Host, random: Random): Promise<void> {
  await register(host, random);
  if (host.neglect && host.maxWebhooks > 1) await register(host, random);
  if (host.webhooks.length > 0) await update(host, random);
}

/**
 * Causes a last event an hour after the workload. Its signatures show whether secrets replaced over 24 hours ago
 * expired.
 */
async function sendFinalEvent(host: Host, user: User, random: Random, until: number): Promise<void> {
  const { api } = host;
  await api.wait(Math.max(0, until + hourMs - api.now()));
  await creditTickets(host, user, random);
}

/**
 * Runs each action with a positive weight once, in random order, but none while the host is deserted. Stops early if
 * the workload ends.
 */
async function runEachAction(host: Host, random: Random, { weights, until }: Options): Promise<void> {
  const { api } = host;
  const names = (Object.keys(weights) as (keyof Weights)[]).filter((name) => weights[name] > 0);
  const pause = (until - api.now()) / (names.length + 1);
  while (names.length > 0) {
    await api.wait(Math.min(2 * pause * random.next(), until - api.now()));
    if (isDeserted(host)) await api.wait(host.neglect!.deserted!.to - api.now());
    const [name] = names.splice(random.below(names.length), 1);
    const user = pickOrUndefined(random, host.users);
    if (api.now() >= until) return;
    if (name! in userActions) {
      if (user) await userActions[name as keyof typeof userActions](host, user, forkRandom(random));
    } else
      await { ...hostActions, ...operatorActions }[name as keyof typeof hostActions](
        host,
        forkRandom(random),
      );
  }
}

/** Returns the names of one organization's users. Users are distributed evenly over the organizations. */
function userNamesOf(host: string, index: number, { users, organizations }: Options): string[] {
  const own = Math.ceil((users - index) / organizations);
  return Array.from({ length: Math.max(0, own) }, (_, number) => `${host}-user${number}`);
}

async function createHost(
  api: Api,
  name: string,
  hosts: Host[],
  { until, habits, webhooks, hasReliableReceivers }: Options,
  random: Random,
): Promise<Host | undefined> {
  let caller = await createOrganization(api, name);
  while (!caller && api.now() < until) {
    await api.wait(random.around(minuteMs));
    caller = await createOrganization(api, name);
  }
  if (!caller) return undefined;
  const neglect = drawNeglect(random.fork('neglect'), api.now(), until);
  return {
    api,
    name,
    caller,
    revokedKeys: [],
    habits,
    until,
    maxWebhooks: webhooks,
    users: [],
    formerReferences: [],
    webhooks: [],
    receivers: 0,
    faultNumber: hasReliableReceivers ? undefined : random.below(100),
    outages: [...drawOutages(random, api.now(), until), ...(neglect ? [neglect] : [])],
    neglect,
    sent: [],
    outcomes: [],
    lookUps: random.below(100),
    prizeTables: [],
    hosts,
    backgroundTasks: [],
  };
}

async function runUser(
  host: Host,
  name: string,
  random: Random,
  { arrivalMs, until, actionsPerDay, momentShare, weights }: Options,
): Promise<void> {
  await host.api.wait(random.next() * arrivalMs);
  const user = await createUser(host, name, random.fork('arrival'));
  if (!user) return;
  const act = async (stream: Random) => {
    if (isDeserted(host)) return;
    const action = drawAction(userActions, weights, stream);
    if (action) await userActions[action](host, user, stream);
  };
  await runOnSchedule(host.api, random, { perDay: actionsPerDay, until, momentShare }, async () => {
    const atOnce = random.chance(0.05) ? 2 : 1;
    await Promise.all(Array.from({ length: atOnce }, () => act(forkRandom(random))));
  });
}
