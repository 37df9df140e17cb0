/** The workload of a world: its hosts with their users, players and receivers, and its operators. */
import type { Random } from '../random.ts';
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
import { backgroundTasksDone, type Host, pickOrUndefined, type User } from './host.ts';
import { sendEveryInvalidRequest } from './invalid-requests.ts';
import { createOrganization } from './operators.ts';
import { drawOutages } from './receiver-behavior.ts';
import { onCall } from './runbooks.ts';
import { firstBudgets } from './settings.ts';
import { createUser } from './users.ts';
import { register, update } from './webhooks.ts';

/** The options of the workload. */
export type Options = {
  /** End of the workload, in epoch milliseconds. Receivers work without faults from then on. */
  until: number;
  organizations: number;
  /** Of all organizations together. */
  users: number;
  /** Average per user. */
  actionsPerDay: number;
  /** Average per host, for itself and for its operators. */
  hostActionsPerDay: number;
  operatorActionsPerDay: number;
  /** Share of all actions within minutes of midnight in New York. */
  midnightShare: number;
  /** Users are created within this time. */
  arrivalMs: number;
  /** Maximum number of webhooks of an organization, and whether their receivers fail only in outages. */
  webhooks: number;
  unaffectedByStorms: boolean;
  habits: ClientHabits;
  weights: Weights;
};

/** Draws the options that are not given. */
export function drawWorkload(random: Random, given: Partial<Options> & { until: number }): Options {
  // Drawn even if given, so that the other random values don't change.
  const drawn = random.pick([1, 3, 10, 30, 100]);
  const users = given.users ?? drawn;
  const organizations = random.pick([1, 2, 2, 3]);
  const isLarge = users > 100;
  return {
    // Leaks between organizations show in small worlds. In a large one, a second organization would only
    // double the time.
    organizations: isLarge ? 1 : organizations,
    users,
    // Many short runs find more than a large one. Large ones are for long lists.
    actionsPerDay: Math.min(random.pick([1, 3, 10]), (isLarge ? 20 : 60) / users),
    hostActionsPerDay: random.pick([2, 10, 20]),
    operatorActionsPerDay: random.pick([1, 4, 20]),
    midnightShare: random.pick([0, 0.1, 0.3, 0.8]),
    arrivalMs: random.pick([minuteMs, hourMs, 12 * hourMs]),
    // In a large world, deliveries to failing receivers would take most of the time.
    webhooks: isLarge ? 1 : random.pick([0, 1, 2, 4, 4]),
    unaffectedByStorms: isLarge,
    habits: {
      duplicateChance: random.pick([0, 0.02, 0.2]),
      repeatChance: random.pick([0, 0.02, 0.2]),
      abandonChance: random.pick([0, 0.1, 0.5]),
    },
    weights: drawWeights(random),
    ...given,
  };
}

/** Runs the workload. Resolves when all actors have stopped and have their answers. */
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
  const { until, midnightShare, hostActionsPerDay, operatorActionsPerDay, weights } = options;
  const rhythm = (perDay: number) => ({ perDay, until, midnightShare });
  const hosting = random.fork('hosting');
  const operating = random.fork('operating');
  await Promise.all([
    ...userNamesOf(name, index, options).map((user) => runUser(host, user, random.fork(user), options)),
    weights.register > 0 ? firstWebhook(host, random.fork('first webhook')) : undefined,
    weights.setLimits > 0 ? firstBudgets(host, random.fork('first budgets')) : undefined,
    runEachAction(host, random.fork('each'), options),
    runOnSchedule(api, hosting, rhythm(hostActionsPerDay), async () => {
      const action = drawAction(hostActions, weights, hosting);
      if (action) await hostActions[action](host, forkRandom(hosting));
    }),
    runOnSchedule(api, operating, rhythm(operatorActionsPerDay), async () => {
      const action = drawAction(operatorActions, weights, operating);
      if (action) await operatorActions[action](host, forkRandom(operating));
    }),
  ]);
  await backgroundTasksDone(host);
  const [user] = host.users;
  if (user && weights.sendInvalidRequest > 0)
    await sendEveryInvalidRequest(host, user, random.fork('mistakes'));
  if (user && weights.creditTickets > 0) await sendFinalEvent(host, user, random.fork('last word'), until);
}

/** Registers a first webhook and mostly replaces its secret at once. */
async function firstWebhook(host: Host, random: Random): Promise<void> {
  await register(host, random);
  if (host.webhooks.length > 0) await update(host, random);
}

/**
 * Sends one more event after the end, when a secret that was replaced at the start has expired even in a
 * one-day run.
 */
async function sendFinalEvent(host: Host, user: User, random: Random, until: number): Promise<void> {
  const { api } = host;
  await api.wait(Math.max(0, until + hourMs - api.now()));
  await creditTickets(host, user, random);
}

/** Runs every action of this world at least once, in random order over the whole time. */
async function runEachAction(host: Host, random: Random, { weights, until }: Options): Promise<void> {
  const { api } = host;
  const names = (Object.keys(weights) as (keyof Weights)[]).filter((name) => weights[name] > 0);
  const pause = (until - api.now()) / (names.length + 1);
  while (names.length > 0) {
    await api.wait(Math.min(2 * pause * random.next(), until - api.now()));
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

/** Distributes the users evenly over the organizations. */
function userNamesOf(host: string, index: number, { users, organizations }: Options): string[] {
  const own = Math.ceil((users - index) / organizations);
  return Array.from({ length: Math.max(0, own) }, (_, number) => `${host}-user${number}`);
}

async function createHost(
  api: Api,
  name: string,
  hosts: Host[],
  { until, habits, webhooks, unaffectedByStorms }: Options,
  random: Random,
): Promise<Host | undefined> {
  let caller = await createOrganization(api, name);
  while (!caller && api.now() < until) {
    await api.wait(random.around(minuteMs));
    caller = await createOrganization(api, name);
  }
  if (!caller) return undefined;
  return {
    api,
    name,
    caller,
    revokedKeys: [],
    habits,
    until,
    mostWebhooks: webhooks,
    users: [],
    givenUp: [],
    webhooks: [],
    receivers: 0,
    mode: unaffectedByStorms ? undefined : random.below(100),
    outages: drawOutages(random, api.now(), until),
    sent: [],
    outcomes: [],
    prizeTables: [],
    hosts,
    backgroundTasks: [],
  };
}

async function runUser(
  host: Host,
  name: string,
  random: Random,
  { arrivalMs, until, actionsPerDay, midnightShare, weights }: Options,
): Promise<void> {
  await host.api.wait(random.next() * arrivalMs);
  const user = await createUser(host, name, random.fork('arrival'));
  if (!user) return;
  const act = async (stream: Random) => {
    const action = drawAction(userActions, weights, stream);
    if (action) await userActions[action](host, user, stream);
  };
  await runOnSchedule(host.api, random, { perDay: actionsPerDay, until, midnightShare }, async () => {
    const atOnce = random.chance(0.05) ? 2 : 1;
    await Promise.all(Array.from({ length: atOnce }, () => act(forkRandom(random))));
  });
}
