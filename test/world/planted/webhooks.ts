// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs in registrations, secrets, events and who is told of them. */
export const webhooks: Bug[] = [
  {
    name: 'a replaced secret signs for ever',
    file: 'shared/webhooks/webhooks.ts',
    from: 'webhook.previous.filter(({ until }) => until > now)',
    to: 'webhook.previous.filter(({ until }) => until > now - until)',
  },
  {
    name: 'the second rotation of a day forgets the secret of before the first',
    file: 'shared/webhooks/webhooks.ts',
    from: '[{ secret: before.secret, until: now + rotationMs }, ...before.previous]',
    to: '[{ secret: before.secret, until: now + rotationMs }]',
  },
  {
    name: 'a secret that an operator drops goes on signing',
    file: 'shared/webhooks/webhooks.ts',
    from: '{ ...before, previous: [], version',
    to: '{ ...before, version',
  },
  {
    name: 'a change that names no event asks for all of them',
    file: 'shared/webhooks/webhooks.ts',
    from: 'event = before.event }',
    to: "event = 'all' }",
  },
  {
    name: 'of two changes of a webhook at once, one forgets the secret of the other',
    file: 'shared/webhooks/webhooks.ts',
    from: "ConditionExpression: 'version = :version',",
    to: "ConditionExpression: 'version >= :version',",
  },
  {
    name: 'a registration that got no answer counts as made',
    file: 'shared/webhooks/webhooks.ts',
    from: '((await get(webhookKey(organizationId, webhookId))) ? true : undefined);',
    to: 'Boolean(await get(webhookKey(organizationId, webhookId)));',
  },
  {
    name: 'a webhook that is not there can be deleted',
    file: 'shared/webhooks/webhooks.ts',
    from: "ConditionExpression: 'attribute_exists(pk)',",
    to: "ConditionExpression: 'attribute_exists(pk) OR attribute_not_exists(version)',",
  },
  {
    name: 'a webhook that was registered a moment ago is not told',
    file: 'shared/webhooks/webhooks.ts',
    from: '(await readRange(webhooksOf(organizationId), { consistent: true })) as Webhook[]',
    to: '(await readRange(webhooksOf(organizationId))) as Webhook[]',
  },
  {
    name: 'a decryption that failed once is remembered',
    file: 'shared/promises.ts',
    from: 'asked.catch(() => kept.delete(name));',
    to: 'asked.catch(() => undefined);',
  },
  {
    name: 'two signatures are told apart by a comma',
    file: 'shared/webhooks/signature.ts',
    from: "signatures.join(' ')",
    to: "signatures.join(',')",
  },
  {
    name: 'a secret in base64 is decoded with its prefix',
    file: 'shared/webhooks/signature.ts',
    from: 'Buffer.from(secret.slice(base64Prefix.length), ',
    to: 'Buffer.from(secret, ',
  },
  {
    name: "an event's id is made at random",
    file: 'shared/webhooks/events.ts',
    from: 'digest80(`${type}\\n${record.organization_id}\\n${recordId}`)',
    to: 'digest80(`${type}\\n${record.organization_id}\\n${recordId}\\n${Math.random()}`)',
  },
  {
    name: "an event's sequence counts the records of its kind alone",
    file: 'shared/webhooks/events.ts',
    from: 'sequence: record.sequence,',
    to: 'sequence: record.number,',
  },
  {
    name: 'what could not be queued is remembered as queued',
    file: 'shared/webhooks/publishing.ts',
    from: 'else if (!failed.has(delivery)) remember(delivery);',
    to: 'else remember(delivery);',
  },
  {
    name: 'of two webhooks with one callback both are told',
    file: 'shared/webhooks/publishing.ts',
    from: 'newestOfEach(wanting(type))',
    to: 'wanting(type)',
  },
  {
    name: 'of two webhooks with one callback the oldest is told',
    file: 'shared/webhooks/publishing.ts',
    from: 'new Map(oldestFirst.map(',
    to: 'new Map([...oldestFirst].reverse().map(',
  },
  {
    name: 'a replay leaves ticket transactions out',
    file: 'shared/webhooks/replay.ts',
    from: 'recordLists.flatMap((list)',
    to: 'recordLists.slice(1).flatMap((list)',
  },
  {
    name: 'what one webhook missed is told to all',
    file: 'shared/webhooks/replay.ts',
    from: 'publish(records, webhookId)',
    to: 'publish(records)',
  },
  {
    name: 'a replay is in no order',
    file: 'shared/webhooks/replay.ts',
    from: 'timeSortKey(head) < timeSortKey(heads[least]!)',
    to: 'timeSortKey(head) > timeSortKey(heads[least]!)',
  },
  {
    name: 'a request id is delivered again once its claim has run out',
    file: 'shared/webhooks/invocations.ts',
    from: '(queued = :no AND claimed_until < :now)',
    to: '(queued = :no OR claimed_until < :now)',
  },
  {
    name: 'an invocation that could not be queued succeeds',
    file: 'shared/webhooks/invocations.ts',
    from: 'if (failed.length > 0) throw',
    to: 'if (failed.length > 1) throw',
  },
  {
    name: 'the call history goes back two hours',
    file: 'shared/webhooks/calls.ts',
    from: 'const dayMs = 24 * 60 * 60 * 1000;',
    to: 'const dayMs = 24 * 60 * 60;',
  },
  {
    name: 'a page of the call history skips a call',
    file: 'shared/webhooks/calls.ts',
    from: 'if (full) return String(page.items.at(-1)!.sk);',
    to: 'if (full) return String(item.sk);',
  },
  {
    name: 'a day of the call history has 24 hours',
    file: 'shared/webhooks/calls.ts',
    from: 'leastUlid(startOfDay(addDays(day, 1)))',
    to: 'leastUlid(startOfDay(addDays(day, 0)) + dayMs)',
  },
  {
    name: 'a call that cannot be recorded is let go',
    file: 'shared/webhooks/calls.ts',
    from: 'await retry(() => putAll(items.slice(from, from + mostPerWrite)));',
    to: 'await retry(() => putAll(items.slice(from, from + mostPerWrite))).catch(() => undefined);',
  },
  {
    name: 'nobody waits until a call is recorded',
    file: 'shared/webhooks/calls.ts',
    from: 'return written;',
    to: 'return Promise.race([written, Promise.resolve()]);',
  },
];
