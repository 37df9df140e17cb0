/** A host system: an organization of the service, with all that it keeps of what it knows and did. */

import type { Random } from '../random.ts';
import { type Answer, type Caller, call, type Habits, type Request } from './calls.ts';
import type { Character } from './characters.ts';
import type { Api } from './surroundings.ts';

/** A user as the host knows it. */
export type User = {
  id: string;
  /** As far as the host knows. */
  reference: string;
  /** As far as the host knows. */
  tickets: number;
  /** How many idempotency keys it has had. */
  keys: number;
  /** Some of the changes that were asked for it. */
  changes: Request[];
};

/** A webhook that the host has registered. */
export type Registration = { id: string; url: string; secret: string; event?: string };

export type Host = {
  api: Api;
  name: string;
  /** With the API key that the host uses at the time. */
  caller: Caller;
  /** Keys that were revoked long enough ago for every gateway to know. */
  revokedKeys: string[];
  /** Whether it is about to move from one key to another: two at once would revoke each other's. */
  isChangingKey?: boolean;
  habits: Habits;
  /** When it stops, in epoch milliseconds. */
  until: number;
  /** How many webhooks it has at most. */
  mostWebhooks: number;
  users: User[];
  /** References that users once had. */
  givenUp: string[];
  webhooks: Registration[];
  /** How many receivers it has had, and the number of the mood of the first; none if all are well but for outages. */
  receivers: number;
  mood: number | undefined;
  /** When all of its receivers are in a mood of their own. */
  outages: Character['outages'];
  /** A `next_token` of the ticket transactions of some user. */
  token?: { of: User; token: string };
  /** Some requests that have one effect, to be sent again at any time. */
  sent: Request[];
  /** Ids of some outcomes. */
  outcomes: string[];
  /** Prize tables of its own that it has had, as an operator's files. */
  prizeTables: string[];
  /** All hosts of the world, itself among them. */
  hosts: Host[];
  /** What it has begun and not waited for. */
  errands: Promise<void>[];
};

const mostKept = 200;

/** Sends a request of a host, or of a player of it, and remembers it if it can be sent again at any time. */
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

/** Adds to a list, in the place of something else once it is long. */
export function keep<T>(list: T[], item: T, random: Random, most = mostKept): void {
  if (list.length < most) list.push(item);
  else list[random.below(most)] = item;
}

/** One of some things, or undefined if there are none. */
export const anyOf = <T>(random: Random, items: readonly T[]): T | undefined =>
  items.length > 0 ? random.pick(items) : undefined;

/** Lets a host do something after a while, besides all else. What would come after its end is left out. */
export function later(host: Host, milliseconds: number, errand: () => Promise<void>): void {
  const { api, until } = host;
  if (api.now() + milliseconds < until) host.errands.push(api.wait(milliseconds).then(errand));
}

/** Resolves when all that a host has begun is done, and what that has begun too. */
export async function settled(host: Host): Promise<void> {
  for (let done = 0; done < host.errands.length; done++) await host.errands[done];
}
