// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs in users, balances, idempotency and records. */
export const accounts: Bug[] = [
  {
    name: 'a user is written over what others have changed meanwhile',
    file: 'shared/accounts/commit.ts',
    from: "const unchanged = 'version = :version';",
    to: "const unchanged = 'version >= :version';",
  },
  {
    name: 'the use of an idempotency key is written over an earlier one',
    file: 'shared/accounts/commit.ts',
    from: "const firstUse = 'attribute_not_exists(pk)';",
    to: "const firstUse = 'attribute_not_exists(version)';",
  },
  {
    name: 'a debit that emptied the balance is refused when it is repeated',
    file: 'shared/accounts/commit.ts',
    from: 'refusal instanceof Refusal ? await earlierUse(change, nonce) : undefined',
    to: 'refusal instanceof Refusal && refusal.status === 409 ? await earlierUse(change, nonce) : undefined',
  },
  {
    name: 'a request whose answer was lost is taken for a replay of itself',
    file: 'shared/accounts/commit.ts',
    from: '() => retry(() => attempt(change, nonce, started)),',
    to: '() => retry(() => attempt(change, randomUUID(), started)),',
  },
  {
    name: 'an idempotency key is forgotten after a day',
    file: 'shared/accounts/commit.ts',
    from: '    nonce,\n  };',
    to: '    nonce,\n    ttl: Math.ceil(Date.now() / 1000) + 24 * 3600,\n  };',
  },
  {
    name: 'entries go below zero',
    file: 'shared/accounts/ledger.ts',
    from: 'if (balance < 0) {',
    to: "if (balance < 0 && account === 'tickets') {",
  },
  {
    name: 'a replay does not compare the type of entries',
    file: 'shared/accounts/ledger.ts',
    from: 'parameters: { ...change, account },',
    to: 'parameters: { ...change },',
  },
  {
    name: 'a replay takes a debit for a credit',
    file: 'shared/accounts/ledger.ts',
    from: 'parameters: { ...change, account },',
    to: 'parameters: { ...said, account },',
  },
  {
    name: 'a replay does not compare the description',
    file: 'shared/accounts/ledger.ts',
    from: 'parameters: { ...change, account },',
    to: 'parameters: { amount: change.amount, account },',
  },
  {
    name: 'a key used for tickets is used up for entries too',
    file: 'shared/accounts/ledger.ts',
    from: "resource: account === 'tickets' ? 'tickets' : 'entries',",
    to: "resource: 'tickets',",
  },
  {
    name: 'a transaction does not know its idempotency key',
    file: 'shared/accounts/ledger.ts',
    from: 'post(user, { ...change, account, idempotency_key }, now)',
    to: 'post(user, { ...change, account }, now)',
  },
  {
    name: "the chain's hash leaves out the hash before it",
    file: 'shared/accounts/records.ts',
    from: 'sha256(`${previous}\\n${canonicalJson(content)}`)',
    to: 'sha256(`${previous.length}\\n${canonicalJson(content)}`)',
  },
  {
    name: 'a sequence skips what changed the user without a record',
    file: 'shared/accounts/records.ts',
    from: 'const sequence = user.sequence + 1;',
    to: 'const sequence = Math.max(user.sequence, user.version) + 1;',
  },
  {
    name: 'entries are numbered by their type alone',
    file: 'shared/accounts/records.ts',
    from: 'number: counts[said.kind],',
    to: 'number: counts[list],',
  },
  {
    name: 'entries of a type are numbered with those of the other',
    file: 'shared/accounts/records.ts',
    from: '{ number_of_type: counts[list] }',
    to: '{ number_of_type: counts[said.kind] }',
  },
  {
    name: "a record's time is not that of its id",
    file: 'shared/accounts/records.ts',
    from: 'date_created: isoOf(timeOfUlid(ulid)),',
    to: 'date_created: isoOf(now),',
  },
  {
    name: 'the milestones of a type of entries stand under the numbers of both',
    file: 'shared/accounts/records.ts',
    from: 'numbers.push([listOf(record), record.number_of_type]);',
    to: 'numbers.push([listOf(record), record.number]);',
  },
  {
    name: 'two users can be created with one reference',
    file: 'shared/accounts/references.ts',
    from: 'again ? `${absent} OR user_id = :me` : absent,',
    to: "again ? `${absent} OR user_id = :me` : 'attribute_not_exists(version)',",
  },
  {
    name: 'a reference can be taken from the user who has it',
    file: 'shared/accounts/references.ts',
    from: 'Put: { Item: referenceItem(after), ConditionExpression: absent, ...withOldItem },',
    to: 'Put: { Item: referenceItem(after) },',
  },
  {
    name: 'a reference that was given up is not free again',
    file: 'shared/accounts/references.ts',
    from: 'writes: moveReference(user, renamed),',
    to: 'writes: { newReference: moveReference(user, renamed).newReference! },',
  },
  {
    name: 'to create a user whose reference is taken returns the one who has it',
    file: 'shared/accounts/references.ts',
    from: 'if ((holder.repeatable_until ?? 0) > now) return holder;',
    to: 'if ((holder.repeatable_until ?? now) >= now) return holder;',
  },
  {
    name: 'equal changes of a reference at once refuse each other',
    file: 'shared/accounts/references.ts',
    from: 'if (newReference && newReference.user_id !== userId) throw',
    to: 'if (newReference) throw',
  },
  {
    name: 'an unknown user has an empty history',
    file: 'shared/accounts/history.ts',
    from: 'if (items.length === 0) await readUser',
    to: 'if (items.length === 0 && after) await readUser',
  },
  {
    name: 'a history misses what was credited a moment ago',
    file: 'shared/accounts/history.ts',
    from: 'newestFirst: true, consistent: true }',
    to: 'newestFirst: true }',
  },
  {
    name: 'a revoked key goes on working',
    file: 'shared/organizations/api-keys.ts',
    from: 'return key && right && key.revoked_at === undefined ? key : undefined;',
    to: 'return key && right ? key : undefined;',
  },
  {
    name: 'a key is good with any secret',
    file: 'shared/organizations/api-keys.ts',
    from: 'return key && right && key.revoked_at === undefined ? key : undefined;',
    to: 'return key && (right || key.revoked_at === undefined) ? key : undefined;',
  },
  {
    name: 'an organization can have three live keys',
    file: 'shared/games/change-keys.ts',
    from: 'live >= liveAtOnce',
    to: 'live > liveAtOnce',
  },
  {
    name: 'a key can be revoked twice, which makes room for a third one',
    file: 'shared/games/change-keys.ts',
    from: 'key?.organization_id === organizationId && key.revoked_at === undefined',
    to: 'key?.organization_id === organizationId',
  },
];
