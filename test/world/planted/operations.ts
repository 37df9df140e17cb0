import type { Bug } from './bug.ts';

/** Bugs in what operators change, and in the records of it. */
export const operations: Bug[] = [
  {
    name: 'two operators at once leave the record of one',
    file: 'shared/games/operations.ts',
    from: "'operations = :before'",
    to: "'operations >= :before'",
  },
  {
    name: 'an operation says what is there instead of what was',
    file: 'shared/games/change-settings.ts',
    from: 'before: some(recorded)',
    to: 'before: some(changes)',
  },
  {
    name: 'the chain of operations has no link',
    file: 'shared/games/operations.ts',
    from: 'chainHash(operations_hash, content)',
    to: "chainHash('', content)",
  },
  {
    name: 'a balance is adjusted without a record of who did it',
    file: 'shared/games/adjust-balance.ts',
    from: 'writes: operationParts(organizationId, organization, operation),',
    to: 'writes: {},',
  },
  {
    name: 'what an operator says of a user stands in the chain for good',
    file: 'shared/games/adjust-balance.ts',
    from: 'operationOf(organizationId, organization, said, by, user)',
    to: 'operationOf(organizationId, organization, said, by)',
  },
  {
    name: 'an adjustment names an operation that is not its own',
    file: 'shared/games/operations.ts',
    from: "idOf('op', nextOperation(organizationId, organization, now).ulid)",
    to: "idOf('op', nextOperation(organizationId, { ...organization, operations: 0 }, now).ulid)",
  },
  {
    name: 'the reference of a person who was erased is not free again',
    file: 'shared/games/erase-user.ts',
    from: '          reference: { Delete: { Key: referenceKey(organizationId, external_reference) } },\n',
    to: '',
  },
  {
    name: 'what operators said of a person who was erased stays',
    file: 'shared/games/erase-user.ts',
    from: "action === 'user_erased') continue;",
    to: "action !== 'user_frozen') continue;",
  },
];
