import { expect, test } from 'vitest';
import { queueing } from './example-plays.ts';
import { changed, credit, keyItem, rulesBrokenBy, start, ulidOf, without } from './examples.ts';

const rule = 'an idempotency key is stored with its effect';

test('an effect without its key, and a key without its effect, are detected', () => {
  expect(rulesBrokenBy(without(credit(), 'IDEM#'))).toContain(rule);
  expect(rulesBrokenBy(without(credit(), 'TICKETS#'))).toContain(rule);
  expect(rulesBrokenBy(without(queueing(), 'IDEM#'))).toContain(rule);
  expect(rulesBrokenBy(without(queueing(), 'ORDERS#'))).toContain(rule);
});

test('a key with another resource or text than its effect is detected', () => {
  expect(rulesBrokenBy(changed(credit(), 'IDEM#', { sk: keyItem('entries', 'gift', {}).sk }))).toContain(
    rule,
  );
  expect(rulesBrokenBy(changed(credit(), 'IDEM#', { sk: keyItem('tickets', 'other', {}).sk }))).toContain(
    rule,
  );
});

test('a reply that differs from the effect is detected', () => {
  const transaction_id = `txn_${ulidOf(start)}`;
  expect(rulesBrokenBy(changed(credit(), 'IDEM#', { reply: { transaction_id, balance: 14 } }))).toContain(
    rule,
  );
  const other = { transaction_id: `txn_${ulidOf(start, 2)}`, balance: 15 };
  expect(rulesBrokenBy(changed(credit(), 'IDEM#', { reply: other }))).toContain(rule);
  expect(rulesBrokenBy(changed(queueing(), 'IDEM#', { reply: { total_queued_spins: 4 } }))).toContain(rule);
});
