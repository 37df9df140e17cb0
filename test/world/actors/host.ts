/** A simulated host: its organization, its knowledge of users and webhooks, and its past requests. */

import type { Random } from '../../support/random.ts';
import { minuteMs } from './action-times.ts';
import type { Api } from './api.ts';
import { type Answer, type Caller, type ClientHabits, call, type Request } from './client.ts';
import { isDuring, type Neglect, type ReceiverBehavior } from './receiver-behavior.ts';

/** A user as the host knows it: possibly outdated, because the host learns changes only from answers. */
export type User = {
  id: string;
  reference: string;
  tickets: number;
  /** Number of idempotency keys that the host has made for this user. Each new key contains the next number. */
  keys: number;
  /**
   * Some earlier requests to change the user's balances. `reuseKey` sends other requests with their idempotency keys.
   */
  changes: Request[];
};

export type Registration = { id: string; url: string; secret: string; event?: string };

export type Host = {
  api: Api;
  name: string;
  /** The host's organization and current API key. */
  caller: Caller;
  /** Revoked API keys that the gateway must refuse, because the gateway's cache no longer contains the keys. */
  revokedKeys: string[];
  /** True while the host changes its API key. Two concurrent changes would revoke each other's keys. */
  isChangingKey?: boolean;
  habits: ClientHabits;
  /** End of the workload, in epoch milliseconds. */
  until: number;
  maxWebhooks: number;
  users: User[];
  /** Former references of users. The host may give them to other users. */
  formerReferences: string[];
  webhooks: Registration[];
  /** Number of receivers that the host has created. */
  receivers: number;
  /**
   * Index of the first receiver's main fault in the list of faults. Each further receiver gets the next fault. If
   * undefined, receivers have no main fault.
   */
  faultNumber: number | undefined;
  /** Periods in which all receivers of the host fail at the same time. */
  outages: ReceiverBehavior['outages'];
  neglect: Neglect | undefined;
  /** A `next_token` of one user's ticket history. Invalid requests send this token for another list. */
  token?: { of: User; token: string };
  /** The cursor after the last event that the host has read. */
  cursor?: string;
  /** Some idempotent requests that the host may repeat at any time. */
  sent: Request[];
  /** Ids of some outcomes, for operators to explain. */
  outcomes: string[];
  /** Number of organization commands that `lookUpByCommand` has picked for the host, one after another. */
  lookUps: number;
  /** Contents of the prize table files that operators have set. */
  prizeTables: string[];
  /** All hosts of the world, including this one. */
  hosts: Host[];
  /** Promises of activities that continue while the host acts. They are awaited at the end of the workload. */
  backgroundTasks: Promise<void>[];
};

/**
 * Returns whether the host's neglect has not ended. Until then, after `firstWebhook`, nobody registers, changes,
 * deletes or enables webhooks.
 */
export const isNeglected = ({ neglect, api }: Host): boolean =>
  neglect !== undefined && api.now() < neglect.to;

/** Returns whether users and operators leave the host alone at the moment. */
export const isDeserted = ({ neglect, api }: Host): boolean =>
  neglect?.deserted !== undefined && isDuring(neglect.deserted, api.now());

const maxKept = 200;

/** Sends a request of a host or its player. Keeps idempotent requests in `host.sent`, to repeat them later. */
export function sendRequest(host: Host, request: Request, random: Random): Promise<Answer | undefined> {
  const { api, caller, habits } = host;
  const sent = { ...request, requestNumber: request.requestNumber ?? api.newRequestNumber() };
  if (isKept(sent) && request.requestNumber === undefined) keep(host.sent, sent, random);
  const { organizationId } = caller;
  return call(api, request.endpoint.startsWith('play/') ? { organizationId } : caller, sent, random, habits);
}

const isKept = ({ endpoint, body, query, mistake }: Request) =>
  !mistake &&
  (endpoint === 'play/spin' ||
    query?.request_id !== undefined ||
    (body as { idempotency_key?: string } | undefined)?.idempotency_key !== undefined);

/** Adds an item to a list. If the list is full, the item replaces a random one. */
export function keep<T>(list: T[], item: T, random: Random, maxLength = maxKept): void {
  if (list.length < maxLength) list.push(item);
  else list[random.below(maxLength)] = item;
}

/** Milliseconds after which the table's index lists an outcome. Operators cannot find it before. */
const maxIndexLagMs = 10 * minuteMs;

/** Keeps an outcome's id for operators, as soon as they can find it. */
export const keepOutcome = (host: Host, id: string, random: Random): void =>
  later(host, maxIndexLagMs, async () => keep(host.outcomes, id, random));

/** Returns a random element of a list, or undefined if the list is empty. */
export const pickOrUndefined = <T>(random: Random, items: readonly T[]): T | undefined =>
  items.length > 0 ? random.pick(items) : undefined;

/** Starts a background task after a delay. Does nothing if the workload would end first. */
export function later(host: Host, milliseconds: number, task: () => Promise<void>): void {
  const { api, until } = host;
  if (api.now() + milliseconds < until) host.backgroundTasks.push(api.wait(milliseconds).then(task));
}

/** Resolves when all background tasks are done, including tasks that other tasks have started. */
export async function backgroundTasksDone(host: Host): Promise<void> {
  for (let done = 0; done < host.backgroundTasks.length; done++) await host.backgroundTasks[done];
}
