/** What webhooks were registered, told by the requests of their hosts: what each may have been, and must have been. */
import type { Exchange } from '../../journal.ts';
import { exchangesOf, groupBy, mayBeDone, succeeded } from './exchanges.ts';
import type { World } from './world.ts';

/** What a request made of a webhook. */
export type State = {
  url: string;
  secret: string;
  /** The event that it named; none if it left that as it was. */
  event: string | undefined;
  /** When the request was sent, and by when it was surely carried out, if ever. */
  from: number;
  doneBy: number;
  /** Whether it succeeded; if not, nobody knows. */
  isSure: boolean;
  /** Until when it may have been in force: something that followed it was done then. */
  until: number;
};

/** A webhook, with all that it may have been. */
export type Registration = {
  webhookId: string;
  organizationId: string;
  /** In the order in which their requests were sent. */
  states: State[];
  /** When its creation was answered; never, if it was not. */
  knownFrom: number;
  /** From when on it may have been deleted, and by when it surely was. */
  mayBeGoneFrom: number;
  goneBy: number;
};

/** By when a request was carried out, if ever: one that did not succeed may go on for a while. */
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

/** All webhooks that there may have been, by their ids. */
export function registrationsOf(world: World): Map<string, Registration> {
  const { requestMs } = world;
  const creations = exchangesOf(world, 'webhooks/create').filter(mayBeDone);
  const created = new Map(
    creations.filter(succeeded).map((one) => [one.answer!.body.webhook_id as string, one]),
  );
  const updates = groupBy(
    exchangesOf(world, 'webhooks/update').filter(mayBeDone),
    ({ path }) => path.webhook_id,
  );
  const deletions = groupBy(
    exchangesOf(world, 'webhooks/delete').filter(mayBeDone),
    ({ path }) => path.webhook_id,
  );
  const owners = ownersOf(world, created);
  return new Map(
    [...owners].map(([webhookId, organizationId]) => {
      const creation = created.get(webhookId);
      const unknown = creations.filter((one) => one.organizationId === organizationId && !succeeded(one));
      const changes = (updates.get(webhookId) ?? []).filter((one) => one.organizationId === organizationId);
      const states = [...(creation ? [creation] : unknown), ...changes].map((one) => stateOf(one, requestMs));
      states.sort((a, b) => a.from - b.from);
      for (const state of states) state.until = endOfState(state, states);
      const deleted = deletions.get(webhookId) ?? [];
      const registration: Registration = {
        webhookId,
        organizationId,
        states,
        knownFrom: creation?.answer?.at ?? Infinity,
        mayBeGoneFrom: Math.min(...deleted.map(({ sentAt }) => sentAt)),
        goneBy: Math.min(...deleted.filter(succeeded).map(({ answer }) => answer!.at)),
      };
      return [webhookId, registration];
    }),
  );
}

/** The organization of each webhook that was answered, is in the table, or was called. */
function ownersOf(world: World, created: Map<string, Exchange>): Map<string, string> {
  const owners = new Map([...created].map(([webhookId, { organizationId }]) => [webhookId, organizationId]));
  for (const item of [...world.of('webhook'), ...world.of('call')])
    owners.set(item.webhook_id, item.organization_id);
  for (const { path, organizationId } of exchangesOf(world, 'webhooks/update', 'webhooks/delete').filter(
    succeeded,
  ))
    owners.set(path.webhook_id!, organizationId);
  return owners;
}

/** When the first change was done that surely came after a state. */
const endOfState = (state: State, states: State[]): number =>
  Math.min(
    ...states.filter((other) => other.isSure && other.from >= state.doneBy).map(({ doneBy }) => doneBy),
  );

/** The states that a webhook may have been in at some time between two. */
export const possibleStates = ({ states }: Registration, from: number, to: number): State[] =>
  states.filter((state) => state.from <= to && state.until >= from);

/** The state that a webhook surely was in all the time between two; undefined if that is not known. */
export function sureState(
  { states, mayBeGoneFrom }: Registration,
  from: number,
  to: number,
): State | undefined {
  if (mayBeGoneFrom <= to) return undefined;
  const sure = states.findLast((state) => state.isSure && state.doneBy <= from);
  const others = states.filter((state) => state !== sure && state.from <= to);
  return others.every((other) => sure && other.until <= sure.doneBy) ? sure : undefined;
}

/** The events that a webhook may have been registered for. */
export function possibleEvents({ states }: Registration): Set<string> {
  const events = states.map(({ event }) => event).filter((event) => event !== undefined);
  return new Set(events);
}
