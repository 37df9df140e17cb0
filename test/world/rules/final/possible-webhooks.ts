/** Reconstructs from the hosts' requests which states a webhook may have had and which it certainly had. */
import type { Exchange } from '../../journal.ts';
import { exchangesOf, groupBy, mayBeExecuted, succeeded } from './exchanges.ts';
import type { World } from './final-state.ts';

/** The state of a webhook after a request to create or update it. All times are epoch milliseconds. */
export type State = {
  url: string;
  secret: string;
  /** The event type for which the webhook is registered, or undefined if an update left the type unchanged. */
  event: string | undefined;
  /** When the create or update request was sent. */
  from: number;
  /** Latest time at which the create or update request may have been executed. */
  doneBy: number;
  /** Whether the create or update request succeeded. False if its outcome is unknown. */
  isSure: boolean;
  /** The latest possible end of this state: the time by which a later successful request was certainly executed. */
  until: number;
};

/** A webhook with all states that it may have had. All times are epoch milliseconds. */
export type Registration = {
  webhookId: string;
  organizationId: string;
  /** The possible states, in order of the requests. */
  states: State[];
  /** When the response to the webhook's creation arrived. Infinity if no response arrived. */
  certainFrom: number;
  /** When the first request to delete the webhook was sent. Infinity if none was sent. */
  mayBeDeletedFrom: number;
  /** When the first response that confirms the webhook's deletion arrived. Infinity if none arrived. */
  deletedBy: number;
};

/**
 * Returns the latest time at which a request may have been executed: when its success arrived, otherwise `requestMs`
 * after sending.
 */
const endOf = (exchange: Exchange, requestMs: number): number =>
  succeeded(exchange) ? exchange.answer!.at : exchange.sentAt + requestMs;

function stateOf(exchange: Exchange, requestMs: number): State {
  const { body, endpoint, sentAt } = exchange;
  return {
    url: body.callback_url,
    secret: body.secret_key,
    event: body.event ?? (endpoint === 'webhooks/create' ? 'all' : undefined),
    from: sentAt,
    doneBy: endOf(exchange, requestMs),
    isSure: succeeded(exchange),
    until: Infinity,
  };
}

/** Returns all webhooks in responses, the table or the call history, with their possible states. */
export function registrationsOf(world: World): Map<string, Registration> {
  const { requestMs } = world;
  const creations = exchangesOf(world, 'webhooks/create').filter(mayBeExecuted);
  // A repeated registration updates the first one's webhook.
  const created = groupBy(creations.filter(succeeded), ({ answer }) => answer!.body.webhook_id as string);
  const updates = groupBy(
    exchangesOf(world, 'webhooks/update').filter(mayBeExecuted),
    ({ path }) => path.webhook_id,
  );
  const deletions = groupBy(
    exchangesOf(world, 'webhooks/delete').filter(mayBeExecuted),
    ({ path }) => path.webhook_id,
  );
  const owners = ownersOf(world, created);
  return new Map(
    [...owners].map(([webhookId, organizationId]) => {
      const own = created.get(webhookId) ?? [];
      const changes = (updates.get(webhookId) ?? []).filter((one) => one.organizationId === organizationId);
      const known = [...own, ...changes];
      const unknown = creations.filter(
        (one) =>
          one.organizationId === organizationId &&
          !succeeded(one) &&
          (own.length === 0 || known.some(({ body }) => body.callback_url === one.body.callback_url)),
      );
      const states = [...known, ...unknown].map((one) => stateOf(one, requestMs));
      states.sort((a, b) => a.from - b.from);
      for (const state of states) state.until = endOfState(state, states);
      const deleted = deletions.get(webhookId) ?? [];
      const registration: Registration = {
        webhookId,
        organizationId,
        states,
        certainFrom: Math.min(...own.map(({ answer }) => answer!.at)),
        mayBeDeletedFrom: Math.min(...deleted.map(({ sentAt }) => sentAt)),
        deletedBy: Math.min(...deleted.filter(succeeded).map(({ answer }) => answer!.at)),
      };
      return [webhookId, registration];
    }),
  );
}

/** Returns the organization of each webhook that is in a response, in the table or in the call history. */
function ownersOf(world: World, created: Map<string, Exchange[]>): Map<string, string> {
  const owners = new Map([...created].map(([id, [first]]) => [id, first!.organizationId]));
  for (const item of [...world.of('webhook'), ...world.of('call')])
    owners.set(item.webhook_id, item.organization_id);
  for (const { path, organizationId } of exchangesOf(world, 'webhooks/update', 'webhooks/delete').filter(
    succeeded,
  ))
    owners.set(path.webhook_id!, organizationId);
  return owners;
}

/** Returns when a later request certainly ended a webhook's state, or Infinity if no request did. */
const endOfState = (state: State, states: State[]): number =>
  Math.min(
    ...states.filter((other) => other.isSure && other.from >= state.doneBy).map(({ doneBy }) => doneBy),
  );

/** Returns the states that a webhook may have had at some time in an interval. */
export const possibleStates = ({ states }: Registration, from: number, to: number): State[] =>
  states.filter((state) => state.from <= to && state.until >= from);

/** Returns the state that a webhook certainly had during a whole interval, or undefined if uncertain. */
export function certainState(
  { states, mayBeDeletedFrom }: Registration,
  from: number,
  to: number,
): State | undefined {
  if (mayBeDeletedFrom <= to) return undefined;
  const sure = states.findLast((state) => state.isSure && state.doneBy <= from);
  const others = states.filter((state) => state !== sure && state.from <= to);
  return others.every((other) => sure && other.until <= sure.doneBy) ? sure : undefined;
}

/** Returns all event types for which a webhook may have been registered. */
export function possibleEvents({ states }: Registration): Set<string> {
  const events = states.map(({ event }) => event).filter((event) => event !== undefined);
  return new Set(events);
}
