import { expect, test } from 'vitest';
import { accountForPage, applyBalance, newStoredAccount } from '../../../../infra/develop/demo/accounts.ts';

test('the demo shows the newest balance, in whichever order events and responses arrive', () => {
  const stored = newStoredAccount('ana', 'usr_a', {
    balances: { tickets: 50, truck: 1, flight: 2 },
    sequence: 5,
    outcomes: [],
  });
  const shown = () => {
    const { tickets, entries } = accountForPage(stored);
    return [tickets, entries.truck, entries.flight];
  };
  expect(shown()).toEqual([50, 1, 2]);
  for (const type of ['tickets', 'truck', 'flight'] as const)
    expect(applyBalance(stored, 4, type, 99)).toMatch(/^ignored/);
  expect(shown()).toEqual([50, 1, 2]);
  applyBalance(stored, 5, 'truck', 3);
  applyBalance(stored, 7, 'tickets', 70);
  applyBalance(stored, 6, 'tickets', 60);
  applyBalance(stored, 6, 'flight', 4);
  expect(shown()).toEqual([70, 3, 4]);
});
