import { beforeAll, describe, expect, test } from 'vitest';
import { brokenStates } from './broken-states.ts';
import { brokenWrites } from './broken-writes.ts';
import { checkWorld, endRules, storedTableRules } from './check-world.ts';
import { createCommitRules, stepRules } from './commit-rules.ts';
import { type Recording, recordWorld } from './recorded-world.ts';
import { verifyBooks } from './verified-books.ts';

let recording: Recording;
beforeAll(async () => {
  recording = await recordWorld();
});

const namesOf = (rules: { rule: string }[]) => new Set(rules.map(({ rule }) => rule));

test('the recorded world breaks no rule, and each rule is broken below', () => {
  expect(recording.violations).toEqual([]);
  expect(new Set(brokenWrites.map(([rule]) => rule))).toEqual(namesOf(stepRules));
  expect(new Set(brokenStates.map(([rule]) => rule))).toEqual(namesOf([...endRules, ...storedTableRules]));
});

describe('a rule of writes finds', () => {
  test.each(brokenWrites)('%s: %s', (rule, _, alteration) => {
    const broken = new Set<string>();
    const check = createCommitRules({ fail: (violation) => broken.add(violation.rule) });
    for (const commit of alteration(recording.commits)) check(commit);
    expect(broken).toContain(rule);
  });
});

describe('a rule of the final state finds', () => {
  test.each(brokenStates)('%s: %s', (rule, _, alteration) => {
    expect(namesOf(checkWorld(alteration(recording.ended)))).toContain(rule);
  });
});

test('the books of a day are verified', async () => {
  const { items, now } = recording.ended;
  const all = [...items];
  expect(await verifyBooks(all, now)).toEqual([]);
  const changed = all.map((item) => (item.kind === 'tickets' ? { ...item, balance_after: 1 } : item));
  expect(await verifyBooks(changed, now)).not.toEqual([]);
});
