/** The workload of a world: its hosts with their users, players and receivers, and its operators. */
import type { Random } from '../random.ts';
import { hourMs, inRhythm, minuteMs } from './action-times.ts';
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
import { type Habits, strandOf } from './client.ts';
import { anyOf, type Host, settled, type User } from './host.ts';
import { makeEveryMistake } from './invalid-requests.ts';
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
  steady: boolean;
  habits: Habits;
  weights: Weights;
};

/** Draws the options that are not given. */
export function drawOptions(random: Random, given: Partial<Options> & { until: number }): Options {
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
    steady: isLarge,
    habits: {
      twiceAtOnce: random.pick([0, 0.02, 0.2]),
      onceMore: random.pick([0, 0.02, 0.2]),
      givesUp: random.pick([0, 0.1, 0.5]),
    },
    weights: drawWeights(random),
    ...given,
  };
}

/** Runs the workload. Resolves when all actors have stopped and have their answers. */
export async function settle(api: Api, options: Options): Promise<void> {
  const hosts: Host[] = [];
  const operators = onCall(api, api.random.fork('on call'), options.until);
  const lives = Array.from({ length: options.organizations }, (_, index) =>
    liveAsHost(api, index, hosts, options),
  );
  await Promise.all([operators, ...lives]);
}

async function liveAsHost(api: Api, index: number, hosts: Host[], options: Options): Promise<void> {
  const name = `host${index}`;
  const random = api.random.fork(name);
  const host = await foundHost(api, name, hosts, options, random);
  if (!host) return;
  hosts.push(host);
  const { until, midnightShare, hostActionsPerDay, operatorActionsPerDay, weights } = options;
  const rhythm = (perDay: number) => ({ perDay, until, midnightShare });
  const hosting = random.fork('hosting');
  const operating = random.fork('operating');
  await Promise.all([
    ...userNamesOf(name, index, options).map((user) => liveAsUser(host, user, random.fork(user), options)),
    weights.register > 0 ? firstWebhook(host, random.fork('first webhook')) : undefined,
    weights.setLimits > 0 ? firstBudgets(host, random.fork('first budgets')) : undefined,
    doEach(host, random.fork('each'), options),
    inRhythm(api, hosting, rhythm(hostActionsPerDay), async () => {
      const action = drawAction(hostActions, weights, hosting);
      if (action) await hostActions[action](host, strandOf(hosting));
    }),
    inRhythm(api, operating, rhythm(operatorActionsPerDay), async () => {
      const action = drawAction(operatorActions, weights, operating);
      if (action) await operatorActions[action](host, strandOf(operating));
    }),
  ]);
  await settled(host);
  const [user] = host.users;
  if (user && weights.makeMistake > 0) await makeEveryMistake(host, user, random.fork('mistakes'));
  if (user && weights.creditTickets > 0) await lastWord(host, user, random.fork('last word'), until);
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
async function lastWord(host: Host, user: User, random: Random, until: number): Promise<void> {
  const { api } = host;
  await api.wait(Math.max(0, until + hourMs - api.now()));
  await creditTickets(host, user, random);
}

/** Runs every action of this world at least once, in random order over the whole time. */
async function doEach(host: Host, random: Random, { weights, until }: Options): Promise<void> {
  const { api } = host;
  const names = (Object.keys(weights) as (keyof Weights)[]).filter((name) => weights[name] > 0);
  const pause = (until - api.now()) / (names.length + 1);
  while (names.length > 0) {
    await api.wait(Math.min(2 * pause * random.next(), until - api.now()));
    const [name] = names.splice(random.below(names.length), 1);
    const user = anyOf(random, host.users);
    if (api.now() >= until) return;
    if (name! in userActions) {
      if (user) await userActions[name as keyof typeof userActions](host, user, strandOf(random));
    } else
      await { ...hostActions, ...operatorActions }[name as keyof typeof hostActions](host, strandOf(random));
  }
}

/** Distributes the users evenly over the organizations. */
function userNamesOf(host: string, index: number, { users, organizations }: Options): string[] {
  const own = Math.ceil((users - index) / organizations);
  return Array.from({ length: Math.max(0, own) }, (_, number) => `${host}-user${number}`);
}

async function foundHost(
  api: Api,
  name: string,
  hosts: Host[],
  { until, habits, webhooks, steady }: Options,
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
    mood: steady ? undefined : random.below(100),
    outages: drawOutages(random, api.now(), until),
    sent: [],
    outcomes: [],
    prizeTables: [],
    hosts,
    errands: [],
  };
}

async function liveAsUser(
  host: Host,
  name: string,
  random: Random,
  { arrivalMs, until, actionsPerDay, midnightShare, weights }: Options,
): Promise<void> {
  await host.api.wait(random.next() * arrivalMs);
  const user = await createUser(host, name, random.fork('arrival'));
  if (!user) return;
  const act = async (strand: Random) => {
    const action = drawAction(userActions, weights, strand);
    if (action) await userActions[action](host, user, strand);
  };
  await inRhythm(host.api, random, { perDay: actionsPerDay, until, midnightShare }, async () => {
    const atOnce = random.chance(0.05) ? 2 : 1;
    await Promise.all(Array.from({ length: atOnce }, () => act(strandOf(random))));
  });
}
