import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ulidTimePart } from '../../shared/ids.ts';
import {
  countedKeysOf,
  firstBlock,
  packNumbers,
  packTimes,
  type RowBlock,
  rowsBeforeTime,
  unpackNumbers,
  unpackTimes,
} from '../../shared/reports/blocks.ts';
import {
  blockOfRow,
  emptyIndex,
  packYear,
  rowsBeforeBlock,
  unpackYear,
  updateRowCounts,
} from '../../shared/reports/day-counts.ts';
import { startOfDay } from '../../shared/time.ts';
import { times } from '../support/api.ts';

test('numbers survive packing and unpacking', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(300), fc.maxSafeNat())), (numbers) => {
      expect(unpackNumbers(packNumbers(numbers))).toEqual(numbers);
    }),
  );
});

test('a block takes one or two bytes per row', () => {
  const block = firstBlock('2026-03-08');
  const times = Array.from({ length: 512 }, (_, row) => startOfDay('2026-03-08') + 12_000 * row);
  const bytes = packTimes({ ...block, times });
  expect(bytes.length).toBeLessThanOrEqual(1024);
  expect(unpackTimes(bytes, block.first)).toEqual(times);
});

test('a page can start at the first of several rows with the same time', () => {
  const start = startOfDay('2026-03-08');
  const times = [start, start, start + 5, start + 5, start + 9];
  const block = { ...firstBlock('2026-03-08'), next: ulidTimePart(start + 12), times };
  expect(countedKeysOf(block, 100)).toEqual([
    { key: ulidTimePart(start), rowsBefore: 100 },
    { key: ulidTimePart(start + 5), rowsBefore: 102 },
    { key: ulidTimePart(start + 9), rowsBefore: 104 },
    { key: ulidTimePart(start + 12), rowsBefore: 105 },
  ]);
  expect([0, 1, 5, 6, 10].map((ms) => rowsBeforeTime(block, start + ms))).toEqual([0, 2, 2, 4, 5]);
});

test('the day counts of a year survive packing and unpacking', () => {
  const index = emptyIndex();
  index.days.set('2027-12-31', { rows: 9, late: [] });
  index.days.set('2028-01-01', { rows: 3, late: [] });
  index.days.set('2028-02-29', {
    rows: 150_000_000,
    late: [
      [7, 1],
      [200_000, 300],
    ],
  });
  index.days.set('2028-12-31', { rows: 1, late: [] });
  const { rows, late } = packYear(index, '2028');
  expect(rows.length).toBeLessThan(400);
  expect(unpackYear('2028', rows, late)).toEqual([...index.days].slice(1));
});

test('late rows are counted in each block that has them', () => {
  const index = { ...emptyIndex(), rowsPerBlock: 2 };
  const setBlock = (number: number, rows: number, formerRows: number) =>
    updateRowCounts(
      index,
      { day: '2028-01-01', number, times: times(rows, (i) => i) } as unknown as RowBlock,
      formerRows,
    );
  setBlock(0, 2, 0);
  setBlock(1, 2, 0);
  setBlock(0, 3, 2);
  setBlock(1, 5, 2);
  setBlock(0, 4, 3);
  expect(index.days.get('2028-01-01')).toEqual({
    rows: 9,
    late: [
      [0, 2],
      [1, 3],
    ],
  });
});

test('a row is found in the right block, even if blocks have late rows', () => {
  const late = fc.uniqueArray(fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 9 })), { selector: ([n]) => n });
  fc.assert(
    fc.property(late, fc.integer({ min: 1, max: 5 }), fc.nat(80), (some, rowsPerBlock, row) => {
      const day = { rows: 1000, late: some.sort(([a], [b]) => a - b) };
      const number = blockOfRow(day, row, rowsPerBlock);
      expect(rowsBeforeBlock(day, number, rowsPerBlock)).toBeLessThanOrEqual(row);
      expect(rowsBeforeBlock(day, number + 1, rowsPerBlock)).toBeGreaterThan(row);
    }),
  );
});
