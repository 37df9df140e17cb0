import { describe, expect, test } from 'vitest';
import type { StoredItem } from '../../journal.ts';
import { organizationId, start, ulidOf } from '../examples.ts';
import { type Example, itemAt, rulesBrokenBy } from './examples.ts';
import { numbersIn } from './row-index.ts';

const rule = 'a row index matches its rows';

test('numbers are encoded with seven bits per byte', () => {
  expect(numbersIn(Uint8Array.of(0, 5, 127, 128, 1, 255, 255, 3))).toEqual([0, 5, 127, 128, 65_535]);
});

describe('detected:', () => {
  const pk = `ROWS#${organizationId}#entries`;
  const day = '2026-03-06';
  const midnight = Date.parse('2026-03-06T05:00:00Z');
  const ulids = Array.from({ length: 9 }, (_, index) => ulidOf(start + index, 1));

  const bytesOf = (number: number): number[] =>
    number < 128 ? [number] : [128 + (number % 128), ...bytesOf(Math.floor(number / 128))];

  /** Returns both stored copies of a block: one with its number in the key, one with its start time. */
  const block = (number: number, first: string, later: number[], next?: string): StoredItem[] => {
    const times = Uint8Array.from(later.flatMap(bytesOf));
    const item = { day, number, first, times, ...(next && { next }) };
    return [
      { pk, sk: `BLOCK#0001#NUMBER#${day}#000000${number}`, ...item },
      { pk, sk: `BLOCK#0001#TIME#${first}`, ...item },
    ];
  };

  /** Returns an index of nine rows in blocks of four. One late row makes the second block longer. */
  const index = (): StoredItem[] => [
    { pk, sk: 'DAYS#STATE', version: 3, build: 1, last: ulids[8], rows_per_block: 4 },
    {
      ...{ pk, sk: 'DAYS#2026', year: '2026', late: { [day]: Uint8Array.of(1, 1) } },
      rows: Uint8Array.from([...Array(31 + 28 + 5).fill(0), 9]),
    },
    ...block(0, ulidOf(midnight).slice(0, 10), [start - midnight, 1, 1, 1], ulids[4]),
    ...block(1, ulids[4]!, [0, 1, 1, 1, 1]),
  ];

  /** Adds nine rows with a changed index to the entries report and returns the broken rules. */
  const rulesBrokenWith = (change: (items: StoredItem[]) => void) =>
    rulesBrokenBy((world: Example) => {
      const items = index();
      change(items);
      const { user_id } = itemAt(world, 'USER');
      for (const ulid of ulids) {
        world.items.push({
          pk: `USER#${organizationId}#${user_id}`,
          sk: `ENTRIES#truck#${ulid}`,
          tsk: ulid,
          organization_id: organizationId,
          user_id,
          kind: 'entries',
          entry_type: 'truck',
          date_created: new Date(start).toISOString(),
          transaction_id: `txn_${ulid}`,
        });
      }
      world.items.push(...items);
    });

  /** Returns a function that applies a change to both stored copies of a block. */
  const inBlock = (number: number, change: (block: StoredItem) => void) => (items: StoredItem[]) =>
    items.filter((item) => item.number === number).forEach(change);

  test.each<[string, (items: StoredItem[]) => void]>([
    ['a row is a millisecond off', inBlock(0, (one) => one.times.set([2], one.times.length - 1))],
    ['a row is missing', inBlock(1, (one) => (one.times = one.times.slice(0, -1)))],
    ['a block has another number', inBlock(1, (one) => (one.number = 2))],
    ['a block begins elsewhere', inBlock(1, (one) => (one.first = ulids[5]))],
    ['a block does not refer to the next', inBlock(0, (one) => delete one.next)],
    ['the copies of a block differ', (items) => (items[5]!.times = items[4]!.times.slice(0, -1))],
    ['a block is missing by time', (items) => items.pop()],
    ['there is a block without a day', (items) => items.push(...block(7, ulids[7]!, [0]))],
    ['a day has a row too many', (items) => items[1]!.rows.set([10], items[1]!.rows.length - 1)],
    ['a late row is not recorded', (items) => (items[1]!.late = {})],
    ['too many rows are not in blocks', (items) => (items[0]!.last = ulids[3])],
    ['the last row does not exist', (items) => (items[0]!.last = ulidOf(start + 20, 1))],
    ['a report has no index but its state', (items) => items.splice(1)],
  ])('%s', (_, change) => {
    expect(rulesBrokenWith(change)).toContain(rule);
  });

  test('a valid index breaks no rule', () => {
    expect(rulesBrokenWith(() => {})).not.toContain(rule);
    // Without an index, a block has 512 rows by default, so nine rows need no block yet.
    expect(rulesBrokenWith((items) => items.splice(0))).not.toContain(rule);
  });
});
