/** Rules that no organization can read or change another organization's data. */
import type { Exchange } from '../../journal.ts';
import { idOf } from '../item-types.ts';
import { mayBeErased } from './erased-texts.ts';
import { codeOf, nameOf, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { pageOf } from './pages.ts';

/** Returns the organization of each user, webhook and record by id, including deleted webhooks. */
function owners(world: World): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { organizationId, answer } of creations(world))
    owners.set(answer!.body.user_id ?? answer!.body.webhook_id, organizationId);
  for (const item of [...world.of('user'), ...world.of('webhook')])
    owners.set(item.user_id ?? item.webhook_id, item.organization_id);
  for (const record of world.of('record')) owners.set(idOf(record), record.organization_id);
  return owners;
}

const id = /\b(usr|txn|out|wh)_[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;
/** Fields with texts that hosts choose. The texts may contain any id, so the rule skips these fields. */
const ofHosts = new Set([
  'description',
  'external_reference',
  'idempotency_key',
  'payload',
  'request_id',
  'client_seed',
]);

/** No response contains the id of another organization's user, webhook or record, except in texts that hosts chose. */
const isolatedData: EndRule = {
  rule: 'an organization sees no other organization’s data',
  check(world, report) {
    const known = owners(world);
    for (const exchange of world.journal.exchanges.filter(succeeded)) {
      const data = pageOf(exchange) ?? exchange.answer!.body;
      const text = JSON.stringify(data, (name, value) => (ofHosts.has(name) ? undefined : value));
      for (const [name] of text.matchAll(id)) {
        const owner = known.get(name) ?? exchange.organizationId;
        if (owner !== exchange.organizationId) report(`${nameOf(exchange)} returns ${name} of ${owner}`);
      }
    }
  },
};

/** A request by id finds exactly those users and webhooks of its organization that are not erased or deleted. */
const foundByOwner: EndRule = {
  rule: 'an organization finds exactly its own users and webhooks',
  check(world, report) {
    const known = owners(world);
    const createdAt = new Map<string, number>();
    for (const { answer } of creations(world))
      createdAt.set(answer!.body.user_id ?? answer!.body.webhook_id, answer!.at);
    for (const exchange of world.journal.exchanges) {
      const name = exchange.path.user_id ?? exchange.path.webhook_id;
      if (name === undefined || !exchange.answer) continue;
      const isForeign = (known.get(name) ?? exchange.organizationId) !== exchange.organizationId;
      if (isForeign && succeeded(exchange)) report(`${nameOf(exchange)} reaches ${known.get(name)}`);
      const isUnknown = ['user_not_found', 'webhook_not_found'].includes(codeOf(exchange) ?? '');
      const isKnown = (createdAt.get(name) ?? Infinity) <= exchange.sentAt;
      if (isUnknown && isKnown && !isForeign && !mayBeGone(world, name, exchange))
        report(`${nameOf(exchange)} does not find ${name}`);
    }
  },
};

const creations = ({ journal }: World) =>
  journal.exchanges.filter(
    (exchange) => ['users/create', 'webhooks/create'].includes(exchange.endpoint) && succeeded(exchange),
  );

const mayBeGone = (world: World, name: string, exchange: Exchange) =>
  mayBeDeleted(world, name, exchange) || mayBeErased(world, name, exchange.answer!.at);

const mayBeDeleted = ({ journal }: World, webhookId: string, { answer }: Exchange) =>
  journal.exchanges.some(
    ({ endpoint, path, sentAt }) =>
      endpoint === 'webhooks/delete' && path.webhook_id === webhookId && sentAt <= answer!.at,
  );

export const tenantRules = [isolatedData, foundByOwner];
