import { expect, test } from 'vitest';
import type { Leaf } from '../../shared/books/leaves.ts';
import { addLeafToSums, newSums } from '../../shared/books/sums.ts';

test('a total beyond the largest safe integer is that integer', () => {
  const half = { kind: 'tickets', amount: 2 ** 52 } as Leaf;
  const summed = newSums();
  for (const record of [half, half, half]) addLeafToSums(summed, record);
  expect(summed.sums.tickets).toEqual({ credited: Number.MAX_SAFE_INTEGER, debited: 0 });
});
