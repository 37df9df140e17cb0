import { describe, expect, test } from 'vitest';
import type { Commit, StoredItem } from '../journal.ts';
import { erasedFields, trackErasedTexts } from './erasures.ts';
import { exampleOperation } from './example-operations.ts';
import { changed, commitOf, credit, rulesBrokenBy, userId, userWithTickets, without } from './examples.ts';

const ends = 'a user is erased once and then never changes';

/** Returns the write with which an operator erases a user who has tickets. */
function ending(): Commit {
  const before = userWithTickets();
  const reference: StoredItem = {
    pk: `REF#${before.organization_id}#${before.external_reference}`,
    sk: 'REF',
    user_id: userId,
    external_reference: before.external_reference,
    date_created: before.date_created,
  };
  const operationFields = {
    action: 'user_erased',
    about: { user_id: userId },
    before: {},
    after: {},
    texts: 'digest',
  };
  const after = { ...before, version: before.version + 1, erased_at: before.date_created };
  return commitOf('operator', [
    [before, after],
    [reference, undefined],
    ...exampleOperation({}, { operationFields }).changes.map(
      ({ before, after }): [StoredItem | undefined, StoredItem | undefined] => [before, after],
    ),
  ]);
}

/** Returns the second write of an erasure, which deletes the user's external reference and text key. */
function forgetting(): Commit {
  const before = ending().changes[0]!.after!;
  const after: StoredItem = { ...before, version: before.version + 1, external_reference: '' };
  delete after.text_key;
  return commitOf('operator', [[before, after]]);
}

describe('an erased user', () => {
  test('breaks no rule', () => {
    expect(rulesBrokenBy(ending(), forgetting())).toEqual([]);
  });

  test('without an operation, or with a reference, is detected', () => {
    expect(rulesBrokenBy(without(ending(), 'OPERATIONS#'))).toContain(ends);
    expect(rulesBrokenBy(without(ending(), 'REF'))).toContain(
      'a reference belongs to one user and moves atomically',
    );
    expect(rulesBrokenBy(changed(forgetting(), 'USER', { external_reference: 'anna' }))).toContain(ends);
    expect(rulesBrokenBy(changed(forgetting(), 'USER', { text_key: 'secret' }))).toContain(ends);
  });

  test('that changes later is detected', () => {
    const balances = { tickets: 11, truck: 0, flight: 0 };
    expect(rulesBrokenBy(changed(forgetting(), 'USER', { balances }))).toContain(ends);
  });
});

describe('erased texts', () => {
  const record = credit().changes[1]!.after!;
  const emptied = { ...record, description: '', idempotency_key: '' };
  const lasting = 'immutable items never change';

  test('are the only change of a record, and only an operator erases them', () => {
    expect(rulesBrokenBy(commitOf('operator', [[record, emptied]]))).toEqual([]);
    for (const fields of [{ amount: 6 }, { description: 'another' }, { texts: 'x' }])
      expect(rulesBrokenBy(commitOf('operator', [[record, { ...emptied, ...fields }]]))).toContain(lasting);
    expect(rulesBrokenBy(commitOf('tickets/credit', [[record, emptied]]))).toContain(lasting);
  });

  test('are remembered', () => {
    const { see, restored } = trackErasedTexts();
    see(commitOf('operator', [[record, emptied]]));
    const journal = { exchanges: [], receiverCalls: [], operatorCommands: [], logs: [] };
    expect(restored([emptied], journal).items).toEqual([record]);
    expect(erasedFields(record, emptied)).toEqual(['description', 'idempotency_key']);
  });
});
