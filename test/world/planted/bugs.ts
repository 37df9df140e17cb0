// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the bugs quote code with template strings
import type { Bug } from './bug.ts';

/** Bugs that tests of single parts miss. `npm run planted` checks that simulated worlds find each. */
export const bugs: Bug[] = [
  {
    name: 'a single read is eventually consistent',
    file: 'shared/table/client.ts',
    from: '      ConsistentRead: true,',
    to: '      ConsistentRead: false,',
  },
  {
    name: 'a read of several items is eventually consistent',
    file: 'shared/table/client.ts',
    from: 'Keys: open, ConsistentRead: true',
    to: 'Keys: open, ConsistentRead: false',
  },
  {
    name: 'all organizations share one daily cash budget',
    file: 'shared/table/keys.ts',
    from: '`BUDGET#${organizationId}#${budget}#${part}`',
    to: '`BUDGET#${organizationId.slice(0, 4)}#${budget}#${part}`',
  },
  {
    name: 'all organizations share one row index per report',
    file: 'shared/table/row-index-keys.ts',
    from: '`ROWS#${organizationId}#${report}`',
    to: '`ROWS#${organizationId.slice(0, 4)}#${report}`',
  },
  {
    name: 'an idempotency key expires after a day',
    file: 'shared/accounts/commit.ts',
    from: '    reply,\n    nonce,',
    to: '    reply,\n    nonce,\n    ttl: Math.ceil(Date.now() / 1000) + 24 * 3600,',
  },
  {
    name: 'a prize takes effect at the time of its spin instead of the effective date',
    file: 'shared/games/outcomes.ts',
    from: 'postTransaction(spun.user, posting, now)',
    to: 'postTransaction(spun.user, { ...posting, result_effective_date: spun.outcome.timestamp }, now)',
  },
  {
    name: 'all spins of an order have the same server seed',
    file: 'shared/games/seeds.ts',
    from: 'hmac(secret, `spin\\n${orderId}\\n${spinIndex}`);',
    to: 'hmac(secret, `spin\\n${orderId}`);',
  },
  {
    name: 'scheduled changes take effect an hour early',
    file: 'shared/amoe/start-spin-run.ts',
    from: 'await makeChanges(clock, organizationId);',
    to: 'await makeChanges(() => clock() + 3_600_000, organizationId);',
  },
  {
    name: "the spins of a batch ignore each other's cash",
    file: 'shared/amoe/spin-batches.ts',
    from: 'budgets: all.budgets,',
    to: 'budgets,',
  },
  {
    name: "one of the two keys of a shard's due items is never read",
    file: 'shared/table/keys.ts',
    from: 'Array.from({ length: dueKeysPerShard }',
    to: 'Array.from({ length: 1 }',
  },
  {
    name: 'queued spins record no grants in the budgets',
    file: 'shared/amoe/spin-batches.ts',
    from: '...grantWrites(user, game, draw.organization, draw.budgets, spun.budgets),',
    to: '...(isNew ? grantWrites(user, game, draw.organization, draw.budgets, spun.budgets) : {}),',
  },
  {
    name: 'queued spins take effect on the day on which they run',
    file: 'shared/amoe/place-order.ts',
    from: 'effectiveAt === undefined ? nextEffectiveDate(user, now)',
    to: 'effectiveAt === undefined ? nextEffectiveDate(user, Date.parse(`${promised.due_day}T12:00:00Z`))',
  },
  {
    name: 'a suspended organization can be changed',
    file: 'shared/api/request.ts',
    from: 'const suspended = changesData(route) && isSuspended(event);',
    to: 'const suspended = false;',
  },
  {
    name: 'a frozen user can be changed',
    file: 'shared/accounts/active.ts',
    from: 'user.frozen && !byOperator',
    to: 'user.frozen && false',
  },
  {
    name: "a page's cursor of events skips the next event",
    file: 'shared/webhooks/read-events.ts',
    from: 'last = found[limit - 1]?.position',
    to: 'last = found[limit]?.position',
  },
  {
    name: "an entry's event reuses the number of the event before it",
    file: 'shared/accounts/records.ts',
    from: 'event_sequence: eventSequenceOf(counts) }',
    to: "event_sequence: eventSequenceOf(fields.kind === 'entries' ? user.counts : counts) }",
  },
  {
    name: 'a webhook receives events from before its registration',
    file: 'shared/webhooks/audience.ts',
    from: 'webhooks.findLast((webhook) => webhookCreatedAt(webhook) <= at)',
    to: 'webhooks.at(-1)',
  },
];
