import type { Bug } from './bug.ts';

/** Bugs in what operators put on hold. */
export const holds: Bug[] = [
  {
    name: 'a suspended organization can be changed',
    file: 'shared/api/request.ts',
    from: "if (changes(route) && isSuspended(event)) throw refusals.onHold('organization_suspended');",
    to: '',
  },
  {
    name: 'a suspended organization cannot be read',
    file: 'shared/api/request.ts',
    from: 'if (changes(route) && isSuspended(event))',
    to: 'if (isSuspended(event))',
    tests: ['test/games/holds.test.ts'],
  },
  {
    name: 'keys that are made while their organization is suspended do not know it',
    file: 'shared/organizations/api-keys.ts',
    from: '...(suspended ? { suspended } : {}),',
    to: '',
  },
  {
    name: 'a key that the index does not show yet is not suspended with the others',
    file: 'shared/organizations/api-keys.ts',
    from: 'if (live_keys !== undefined && keys.length !== live_keys) return undefined;',
    to: '',
  },
  {
    name: 'a paused game goes on',
    file: 'shared/games/plays.ts',
    from: 'requireNoHold(settings, [game], user);\n  const day',
    to: 'const day',
  },
  {
    name: 'free spins of a paused wheel go on',
    file: 'shared/games/holds.ts',
    from: "Pausable[] = ['amoe', 'prizewheel']",
    to: "Pausable[] = ['amoe']",
  },
  {
    name: 'free spins on hold count as failures',
    file: 'shared/amoe/spin-run.ts',
    from: 'else if (hold) turn.held++;',
    to: '',
    tests: ['test/amoe/holds.test.ts'],
  },
  {
    name: 'a frozen user can be changed',
    file: 'shared/accounts/commit.ts',
    from: 'seen.user.frozen && !change.byOperator',
    to: 'seen.user.frozen && false',
  },
  {
    name: 'a frozen user is told another thing when a key is used again',
    file: 'shared/accounts/commit.ts',
    from: 'const earlier = refusal instanceof Refusal ?',
    to: "const earlier = refusal instanceof Refusal && refusal.code !== 'user_frozen' ?",
  },
  {
    name: 'a voided play URL can be played by a request that had read it before',
    file: 'shared/games/play-sessions.ts',
    from: ' AND attribute_not_exists(voided)',
    to: '',
    tests: ['test/games/freeze.test.ts'],
  },
  {
    name: 'a play URL that was played can be voided',
    file: 'shared/games/void-plays.ts',
    from: '!voided && !played',
    to: '!voided',
  },
  {
    name: 'spins that are restored stay out of the index',
    file: 'shared/amoe/cancel-spins.ts',
    from: '{ ...order, ...due, remaining: cancelled }',
    to: '{ ...order, remaining: cancelled }',
  },
  {
    name: 'cancelled spins still count as queued',
    file: 'shared/amoe/cancel-spins.ts',
    from: 'user.queued_spins + sign * sum',
    to: 'user.queued_spins',
  },
  {
    name: 'the reason why a user was frozen stands in the books',
    file: 'shared/games/operate.ts',
    from: 'said, by, user);',
    to: 'said, by);',
  },
  {
    name: 'the check of books takes spins for overdue that were on hold',
    file: 'shared/books/check/outcomes.ts',
    from: 'const isLate = (heldMs: number) => dayOf(at - heldMs)',
    to: 'const isLate = (_: number) => dayOf(at)',
    tests: ['test/books/attacks/holds.test.ts'],
  },
  {
    name: 'the check of books lets cancelled spins run',
    file: 'shared/books/check/holds.ts',
    from: "report.finding('cancelled_spin_drawn',",
    to: "Object.is('cancelled_spin_drawn',",
    tests: ['test/books/attacks/holds.test.ts'],
  },
];
