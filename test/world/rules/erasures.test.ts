import { describe, expect, test } from 'vitest';
import type { Commit, StoredItem } from '../journal.ts';
import { erasedFields, trackErasedTexts } from './erasures.ts';
import { exampleOperation } from './example-operations.ts';
import { changed, commitOf, credit, rulesBrokenBy, userId, userWithTickets, without } from './examples.ts';

const ends = 'a user ends once, on record, and nothing changes it any more';

/** An operator erases a user who has tickets. */
function ending(): Commit {
  const before = userWithTickets();
  const reference: StoredItem = {
    pk: `REF#${before.organization_id}#${before.external_reference}`,
    sk: 'REF',
    user_id: userId,
    external_reference: before.external_reference,
    date_created: before.date_created,
  };
  const said = { action: 'user_erased', about: { user_id: userId }, before: {}, after: {}, texts: 'digest' };
  const after = { ...before, version: before.version + 1, erased_at: before.date_created };
  return commitOf('operator', [
    [before, after],
    [reference, undefined],
    ...exampleOperation({}, { said }).changes.map(
      ({ before, after }): [StoredItem | undefined, StoredItem | undefined] => [before, after],
    ),
  ]);
}

/** The second step of an erasure deletes the reference and the text key. */
function forgetting(): Commit {
  const before = ending().changes[0]!.after!;
  const after: StoredItem = { ...before, version: before.version + 1, external_reference: '' };
  delete after.text_key;
  return commitOf('operator', [[before, after]]);
}

describe('a user who is erased', () => {
  test('breaks no rule', () => {
    expect(rulesBrokenBy(ending(), forgetting())).toEqual([]);
  });

  test('is found to be so without a record, or to keep the reference', () => {
    expect(rulesBrokenBy(without(ending(), 'OPERATIONS#'))).toContain(ends);
    expect(rulesBrokenBy(without(ending(), 'REF'))).toContain(
      'a reference is one user’s and moves as a whole',
    );
    expect(rulesBrokenBy(changed(forgetting(), 'USER', { external_reference: 'anna' }))).toContain(ends);
    expect(rulesBrokenBy(changed(forgetting(), 'USER', { text_key: 'secret' }))).toContain(ends);
  });

  test('is found to be changed all the same', () => {
    const balances = { tickets: 11, truck: 0, flight: 0 };
    expect(rulesBrokenBy(changed(forgetting(), 'USER', { balances }))).toContain(ends);
  });
});

describe('texts that are taken out', () => {
  const record = credit().changes[1]!.after!;
  const emptied = { ...record, description: '', idempotency_key: '' };
  const lasting = 'what is written for good never changes';

  test('are all that changes of a record, and an operator alone does it', () => {
    expect(rulesBrokenBy(commitOf('operator', [[record, emptied]]))).toEqual([]);
    for (const fields of [{ amount: 6 }, { description: 'another' }, { texts: 'x' }])
      expect(rulesBrokenBy(commitOf('operator', [[record, { ...emptied, ...fields }]]))).toContain(lasting);
    expect(rulesBrokenBy(commitOf('tickets/credit', [[record, emptied]]))).toContain(lasting);
  });

  test('are remembered as they were', () => {
    const { see, restored } = trackErasedTexts();
    see(commitOf('operator', [[record, emptied]]));
    const journal = { exchanges: [], receiverCalls: [], operatorCommands: [], logs: [] };
    expect(restored([emptied], journal).items).toEqual([record]);
    expect(erasedFields(record, emptied)).toEqual(['description', 'idempotency_key']);
  });
});
