/** A simulated host: its organization, what it knows, and its past requests. */

import type { Random } from '../random.ts';
import type { Api } from './api.ts';
import { type Answer, type Caller, type ClientHabits, call, type Request } from './client.ts';
import type { ReceiverBehavior } from './receiver-behavior.ts';

/** A user as the host knows it. */
export type User = {
  id: string;
  /** Last known reference. */
  reference: string;
  /** Last known balance. */
  tickets: number;
  /** Number of idempotency keys used for the user so far. */
  keys: number;
  /** Some earlier changes of the user's balances. */
  changes: Request[];
};

/** A webhook that the host has registered. */
export type Registration = { id: string; url: string; secret: string; event?: string };

export type Host = {
  api: Api;
  name: string;
  /** Contains the API key that the host currently uses. */
  caller: Caller;
  /** Keys revoked long enough ago that no gateway cache still accepts them. */
  revokedKeys: string[];
  /** Set while the host changes its key. Two changes at once would revoke each other's keys. */
  isChangingKey?: boolean;
  habits: ClientHabits;
  /** End of the workload, in epoch milliseconds. */
  until: number;
  /** Maximum number of webhooks. */
  mostWebhooks: number;
  users: User[];
  /** References that users have had before. */
  givenUp: string[];
  webhooks: Registration[];
  /**
   * Number of receivers so far, and the index of the first one's mode. Without a mode, all receivers work
   * except in outages.
   */
  receivers: number;
  mode: number | undefined;
  /** Outages that affect all receivers of the host. */
  outages: ReceiverBehavior['outages'];
  /** A `next_token` of one user's ticket history. */
  token?: { of: User; token: string };
  /** Some idempotent requests that can be repeated at any time. */
  sent: Request[];
  /** Ids of some outcomes. */
  outcomes: string[];
  /** Contents of the prize table files that were set before. */
  prizeTables: string[];
  /** All hosts of the world, including this one. */
  hosts: Host[];
  /** Background tasks that nobody waits for until the end. */
  backgroundTasks: Promise<void>[];
};

const mostKept = 200;

/** Sends a request of a host or its player. Keeps it for later repetition if it is idempotent. */
export function ask(host: Host, request: Request, random: Random): Promise<Answer | undefined> {
  const { api, caller, habits } = host;
  const sent = { ...request, intent: request.intent ?? api.journal.exchanges.length };
  if (isKept(sent) && request.intent === undefined) keep(host.sent, sent, random);
  const { organizationId } = caller;
  return call(api, request.endpoint.startsWith('play/') ? { organizationId } : caller, sent, random, habits);
}

const isKept = ({ endpoint, body, query, mistake }: Request) =>
  !mistake &&
  (endpoint === 'play/spin' ||
    query?.request_id !== undefined ||
    (body as { idempotency_key?: string } | undefined)?.idempotency_key !== undefined);

/** Adds an item to a list. If the list is full, replaces a random item. */
export function keep<T>(list: T[], item: T, random: Random, most = mostKept): void {
  if (list.length < most) list.push(item);
  else list[random.below(most)] = item;
}

/** Returns a random element, or undefined if there are none. */
export const pickOrUndefined = <T>(random: Random, items: readonly T[]): T | undefined =>
  items.length > 0 ? random.pick(items) : undefined;

/** Starts a background task after a delay. Does nothing if the workload ends before. */
export function later(host: Host, milliseconds: number, errand: () => Promise<void>): void {
  const { api, until } = host;
  if (api.now() + milliseconds < until) host.backgroundTasks.push(api.wait(milliseconds).then(errand));
}

/** Resolves when all background tasks are done, including those that they start. */
export async function backgroundTasksDone(host: Host): Promise<void> {
  for (let done = 0; done < host.backgroundTasks.length; done++) await host.backgroundTasks[done];
}
