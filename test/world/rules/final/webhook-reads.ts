/** Rules of webhooks in the API's responses to hosts. */
import type { Exchange } from '../../journal.ts';
import { codeOf, exchangesOf, nameOf, succeeded } from './exchanges.ts';
import type { EndRule } from './final-state.ts';
import {
  certainState,
  possibleEvents,
  possibleStates,
  type Registration,
  registrationsOf,
} from './possible-webhooks.ts';

type Row = { webhook_id: string; callback_url: string; secret_key: string; event: string };

/** Returns whether a webhook may have had the URL, secret and event type of `row` during the request. */
function isPossible(registration: Registration | undefined, row: Row, { sentAt, answer }: Exchange): boolean {
  if (!registration || registration.deletedBy < sentAt) return false;
  const states = possibleStates(registration, sentAt, answer!.at);
  const isState = states.some(({ url, secret }) => url === row.callback_url && secret === row.secret_key);
  return isState && possibleEvents(registration).has(row.event);
}

/** Responses about a webhook show a state that the webhook may have had during the request. */
const webhookAnswers: EndRule = {
  rule: 'a webhook has the state that its host set',
  check(world, report) {
    const registrations = registrationsOf(world);
    for (const exchange of exchangesOf(world, 'webhooks/create', 'webhooks/update', 'webhooks/get').filter(
      succeeded,
    )) {
      const { body, path, answer, endpoint } = exchange;
      const row: Row = answer!.body;
      const isMine = path.webhook_id === undefined || row.webhook_id === path.webhook_id;
      const expectedRow =
        endpoint === 'webhooks/get' ? {} : { callback_url: body.callback_url, secret_key: body.secret_key };
      const isExpected = Object.entries(expectedRow).every(
        ([name, value]) => row[name as keyof Row] === value,
      );
      const isEvent = endpoint === 'webhooks/get' || row.event === (body.event ?? row.event);
      if (!isMine || !isExpected || !isEvent || !isPossible(registrations.get(row.webhook_id), row, exchange))
        report(`${nameOf(exchange)} returns ${row.webhook_id} with ${row.callback_url} and ${row.event}`);
    }
  },
};

/** A list has all webhooks that certainly existed during the request, oldest first, and no deleted ones. */
const completeLists: EndRule = {
  rule: 'the list of webhooks is complete',
  check(world, report) {
    const registrations = registrationsOf(world);
    const positions = new Map<string, string>();
    for (const exchange of exchangesOf(world, 'webhooks/list').filter(succeeded)) {
      const { organizationId, query, answer, sentAt } = exchange;
      const rows: Row[] = answer!.body.webhooks;
      const ids = rows.map(({ webhook_id }) => webhook_id);
      const after = positions.get(query.next_token ?? '') ?? '';
      const end = answer!.body.next_token === '' ? '~' : (ids.at(-1) ?? '');
      if (answer!.body.next_token) positions.set(answer!.body.next_token, end);
      for (const row of rows)
        if (!isPossible(registrations.get(row.webhook_id), row, exchange))
          report(`${nameOf(exchange)}: ${row.webhook_id}`);
      if (ids.some((id, index) => id <= (ids[index - 1] ?? after)))
        report(`${nameOf(exchange)} is not in order: ${ids}`);
      if (query.limit === '0') continue;
      for (const registration of registrations.values()) {
        const { webhookId } = registration;
        const isInRange =
          webhookId > after && webhookId <= end && registration.organizationId === organizationId;
        if (isInRange && certainState(registration, sentAt, answer!.at) && !ids.includes(webhookId))
          report(`${nameOf(exchange)} does not show ${webhookId}`);
      }
    }
  },
};

/** At the end, deleted webhooks are not stored, and all other webhooks are. */
const deletedWebhooks: EndRule = {
  rule: 'a deleted webhook is gone',
  check(world, report) {
    const webhooks = world.of('webhook');
    const existing = new Set(webhooks.map(({ webhook_id }) => webhook_id));
    for (const { webhookId, deletedBy } of registrationsOf(world).values())
      if (deletedBy < Infinity && existing.has(webhookId))
        report(`${webhookId} was deleted, but still exists`);
    for (const { webhookId, certainFrom, mayBeDeletedFrom } of registrationsOf(world).values())
      if (certainFrom < Infinity && mayBeDeletedFrom === Infinity && !existing.has(webhookId))
        report(`${webhookId} is missing`);
    for (const exchange of exchangesOf(world, 'webhooks/delete').filter(succeeded))
      if (exchange.answer!.body.webhook_id !== exchange.path.webhook_id)
        report(`${nameOf(exchange)} deletes another webhook`);
    // A refusal is correct only if the organization has about 100 webhooks. Tolerates a few later deletions.
    for (const exchange of exchangesOf(world, 'webhooks/create')) {
      if (codeOf(exchange) !== 'too_many_webhooks') continue;
      const own = webhooks.filter(({ organization_id }) => organization_id === exchange.organizationId);
      if (own.length < 90) report(`${nameOf(exchange)} of ${own.length}`);
    }
  },
};

export const webhookReadRules = [webhookAnswers, completeLists, deletedWebhooks];
