import { expect, test } from 'vitest';
import type { Leaf } from '../../shared/books/leaves.ts';
import { addLeafToSums, newSums } from '../../shared/books/sums.ts';

const leaf = (said: object) => said as Leaf;
const outcome = (said: object) =>
  leaf({ kind: 'outcomes', play_type: 'regular', prize: { tickets: 1 }, prize_table_version: 'a', ...said });
const records = [
  leaf({ kind: 'tickets', amount: 5 }),
  leaf({ kind: 'tickets', amount: -2 }),
  leaf({ kind: 'entries', entry_type: 'truck', amount: 3 }),
  leaf({ kind: 'entries', entry_type: 'flight', amount: -4 }),
  outcome({ prize: { cash_usd: 10 }, secret_day: '2026-03-07' }),
  outcome({ prize: { cash_usd: 100 }, debug: 'jackpot' }),
  outcome({ debug: 'tickets_only' }),
  outcome({ play_type: 'amoe', prize_table_version: 'b' }),
  outcome({ play_type: 'amoe' }),
  outcome({ play_type: 'amoe' }),
  leaf({ kind: 'orders', num_of_spins: 7 }),
  leaf({ kind: 'actions' }),
];
const expected = {
  counts: { tickets: 2, entries: 2, outcomes: 6, orders: 1, claims: 0, actions: 1 },
  sums: {
    tickets: { credited: 5, debited: 2 },
    truck: { credited: 3, debited: 0 },
    flight: { credited: 0, debited: 4 },
    cash_usd: 10,
    spins: { regular: 1, amoe: 3, debug: 2 },
    spins_ordered: 7,
  },
};

test('the totals of a day are those of its records', () => {
  const summed = newSums();
  for (const record of records) addLeafToSums(summed, record);
  expect(summed).toMatchObject(expected);
  expect([...summed.secretDays]).toEqual(['2026-03-07']);
});

test('a total beyond the largest safe integer is that integer', () => {
  const half = leaf({ kind: 'tickets', amount: 2 ** 52 });
  const summed = newSums();
  for (const record of [half, half, half]) addLeafToSums(summed, record);
  expect(summed.sums.tickets).toEqual({ credited: Number.MAX_SAFE_INTEGER, debited: 0 });
});
