import { describe, expect, test } from 'vitest';
import type { Commit, StoredItem } from '../journal.ts';
import { exampleOperation } from './example-operations.ts';
import { due, order, play, session } from './example-plays.ts';
import { commitOf, credit, organizationId, rulesBrokenBy, start, userWithTickets } from './examples.ts';

const early = start - 10 * 60_000;
/**
 * Returns the write in which an operator changes settings to `after`, ten minutes before `start` by default.
 */
const set = (after: object, at = early): Commit => ({ ...exampleOperation(after), at });
const operationBy = (operationFields: object): StoredItem => ({
  pk: `ORG#${organizationId}`,
  sk: 'OPERATIONS#1',
  ...operationFields,
});
const frozen = (user: StoredItem) => ({ ...user, frozen: true });

describe('changes during a hold', () => {
  const suspended = 'a suspended organization does not change';
  const paused = 'a paused game is not played';

  test.each([
    ['a suspended organization is credited', { suspended: true }, credit(), suspended],
    ['a suspended organization is played', { suspended: true }, play(), suspended],
    ['a paused game is played', { paused: 'amoe prizewheel' }, play(), paused],
  ])('are detected: %s', (_, after, commit, rule) => {
    expect(rulesBrokenBy(set(after), commit)).toContain(rule);
  });

  test('are allowed for requests that began before, after its end, and for other games', () => {
    expect(rulesBrokenBy(set({ suspended: true }, start - 1000), credit())).not.toContain(suspended);
    const over = [set({ suspended: true }), set({ suspended: false }, start - 1000)];
    expect(rulesBrokenBy(...over, credit())).not.toContain(suspended);
    expect(rulesBrokenBy(set({ paused: 'amoe truck' }), play())).not.toContain(paused);
  });
});

describe('a frozen user', () => {
  const rule = 'a frozen user does not change';
  const recorded = 'an operator’s change of a user is recorded in the same write';
  const user = userWithTickets();

  test('that a request changes is detected', () => {
    const { changes } = credit();
    const [{ before, after } = { before: undefined, after: undefined }] = changes;
    const changed = commitOf('tickets/credit', [[frozen(before!), frozen(after!)]]);
    expect(rulesBrokenBy(changed)).toContain(rule);
    expect(rulesBrokenBy(credit())).not.toContain(rule);
  });

  test('without an operation that has the reason is detected', () => {
    const freeze = (operationFields: object) =>
      commitOf('an operator', [
        [user, frozen(user)],
        [undefined, operationBy(operationFields)],
      ]);
    const operationFields = {
      action: 'user_frozen',
      about: { user_id: user.user_id },
      why: 'a doubt',
      texts: 'digest',
    };
    expect(rulesBrokenBy(freeze(operationFields))).not.toContain(recorded);
    const wrong = [{ why: undefined }, { texts: undefined }, { about: {} }, { action: 'user_unfrozen' }];
    for (const of of wrong) expect(rulesBrokenBy(freeze({ ...operationFields, ...of }))).toContain(recorded);
  });
});

describe('a play URL or an order', () => {
  const recorded = 'an operator’s change of a user is recorded in the same write';

  test('that is voided and played, or voided without an operation, is detected', () => {
    const open = session();
    const both = commitOf('play/spin', [[open, { ...open, voided: true, played: {} }]]);
    expect(rulesBrokenBy(both)).toContain('a voided play URL is not played');
    const alone = commitOf('an operator', [[open, { ...open, voided: true }]]);
    expect(rulesBrokenBy(alone)).toContain(recorded);
  });

  test('that is cancelled in part, or with a wrong number, is detected', () => {
    const cancel = (after: StoredItem | undefined, spins: number) => {
      const about = { spins: { [order().order_id]: spins } };
      return commitOf('an operator', [
        [due(), after],
        [undefined, operationBy({ action: 'spins_cancelled', about })],
      ]);
    };
    expect(rulesBrokenBy(cancel(undefined, 5))).not.toContain(recorded);
    expect(rulesBrokenBy(cancel(undefined, 4))).toContain(recorded);
    expect(rulesBrokenBy(cancel(due(2), 3))).toContain(recorded);
  });
});

test('a key without its organization’s suspension is detected', () => {
  const rule = 'a key knows whether its organization is suspended';
  const key = { pk: 'KEY#1', sk: 'KEY', organization_id: organizationId };
  const made = commitOf('an operator', [[undefined, key]], early - 1);
  expect(rulesBrokenBy(made, set({ suspended: true }))).toContain(rule);
  const told = set({ suspended: true });
  const both = { ...told, changes: [...told.changes, { before: key, after: { ...key, suspended: true } }] };
  expect(rulesBrokenBy(made, both)).not.toContain(rule);
  const another = (of: object) => commitOf('an operator', [[undefined, { ...key, pk: 'KEY#2', ...of }]]);
  expect(rulesBrokenBy(made, both, another({}))).toContain(rule);
  expect(rulesBrokenBy(made, both, another({ suspended: true }))).not.toContain(rule);
});
