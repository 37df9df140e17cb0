/** Rules of invocations: a host uses `webhooks/invoke` to send an event with its own payload to its webhook. */
import type { Exchange } from '../../journal.ts';
import { codeOf, exchangesOf, groupBy, mayBeExecuted, nameOf, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { registrationsOf } from './possible-webhooks.ts';

const textOf = ({ body }: Exchange): string => (typeof body === 'string' ? body : JSON.stringify(body));
const nameFor = (webhookId: string, text: string) => `${webhookId} ${text}`;

const invocations = (world: World) => exchangesOf(world, 'webhooks/invoke').filter(mayBeExecuted);

/** Returns the event ids of all invocations for which a webhook call is stored, by webhook and payload. */
function idsSent(world: World): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { event_type, event_id, webhook_id, payload } of world.of('call')) {
    if (event_type !== 'invoke') continue;
    const name = nameFor(webhook_id, payload);
    ids.set(name, (ids.get(name) ?? new Set<string>()).add(event_id));
  }
  return ids;
}

const sentUnchanged: EndRule = {
  rule: 'an invocation is sent unchanged',
  check(world, report) {
    const texts = new Set(
      invocations(world).map((exchange) => nameFor(exchange.path.webhook_id!, textOf(exchange))),
    );
    const bodies = new Set(invocations(world).map(textOf));
    for (const [name, ids] of idsSent(world)) {
      if (!texts.has(name)) report(`${[...ids]} is sent without a request: ${name}`);
      for (const id of ids)
        if (!/^inv_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) report(`${name} is sent as ${id}`);
    }
    for (const { headers, body } of world.journal.receiverCalls)
      if (headers['webhook-id']?.startsWith('inv_') && !bodies.has(body))
        report(`${headers['webhook-id']}: ${body}`);
  },
};

/** All requests with the same request id cause one invocation. Each request without an id causes its own invocation. */
const oncePerRequest: EndRule = {
  rule: 'a request id invokes a webhook once',
  check(world, report) {
    const sent = idsSent(world);
    const users = new Map<string, Set<string>>();
    const named = groupBy(invocations(world), (exchange) => {
      const { path, query } = exchange;
      const id = query.request_id === undefined ? undefined : `${path.webhook_id} ${query.request_id}`;
      const name = nameFor(path.webhook_id!, textOf(exchange));
      users.set(
        name,
        (users.get(name) ?? new Set<string>()).add(
          id ?? `unnamed ${world.journal.exchanges.indexOf(exchange)}`,
        ),
      );
      return id;
    });
    for (const [name, ids] of sent) {
      const requests = users.get(name)?.size ?? 0;
      if (ids.size > requests) report(`${name} is sent as ${[...ids]} for ${requests} requests`);
    }
    for (const [request, exchanges] of named) {
      const names = new Set(
        exchanges.map((exchange) => nameFor(exchange.path.webhook_id!, textOf(exchange))),
      );
      const isAlone = [...names].every((name) => users.get(name)!.size === 1);
      const ids = new Set([...names].flatMap((name) => [...(sent.get(name) ?? [])]));
      if (isAlone && ids.size > 1) report(`${request} is sent as ${[...ids]}`);
    }
  },
};

/**
 * After a successful invocation, a webhook call with its payload is stored, unless the webhook may have been deleted.
 */
const successIsSent: EndRule = {
  rule: 'a successful invocation is sent',
  check(world, report) {
    const registrations = registrationsOf(world);
    const sent = idsSent(world);
    for (const exchange of invocations(world).filter(succeeded)) {
      const { path, answer } = exchange;
      const wasSent = sent.has(nameFor(path.webhook_id!, textOf(exchange)));
      const mayBeGone = (registrations.get(path.webhook_id!)?.mayBeDeletedFrom ?? 0) < Infinity;
      const isKept = answer!.at > world.now - 89 * 24 * 3_600_000;
      if (!wasSent && !mayBeGone && isKept) report(nameOf(exchange));
    }
  },
};

/** The API refuses an invocation's request id as reused only if another request had this id and another payload. */
const refusedRequestIds: EndRule = {
  rule: 'a request id is refused only for another payload',
  check(world, report) {
    const all = exchangesOf(world, 'webhooks/invoke');
    for (const exchange of all.filter((one) => codeOf(one) === 'idempotency_key_reused')) {
      const { path, query } = exchange;
      const isOther = (other: Exchange) =>
        other.path.webhook_id === path.webhook_id &&
        other.query.request_id === query.request_id &&
        textOf(other) !== textOf(exchange);
      if (query.request_id === undefined || !all.some(isOther)) report(nameOf(exchange));
    }
  },
};

export const invocationRules = [sentUnchanged, oncePerRequest, successIsSent, refusedRequestIds];
