import { expect, test } from 'vitest';
import {
  boundsOf,
  daysOf,
  dayTyped,
  isComplete,
  periodTyped,
  yearTyped,
} from '../../../../../infra/operate/admin/report/period.ts';

const noon = Date.UTC(2026, 2, 10, 16);
const hours = ({ begins, ends }: ReturnType<typeof boundsOf>) => (ends - begins) / 3_600_000;

test('days are those in New York, including those of 23 and 25 hours', () => {
  expect(boundsOf({ from: '2026-01-01', to: '2026-01-01' }).begins).toBe(Date.UTC(2026, 0, 1, 5));
  expect(
    ['2026-03-08', '2026-07-01', '2026-11-01'].map((day) => hours(boundsOf({ from: day, to: day }))),
  ).toEqual([23, 24, 25]);
  expect(daysOf({ from: '2024-02-28', to: '2024-03-01' })).toEqual([
    '2024-02-28',
    '2024-02-29',
    '2024-03-01',
  ]);
});

test('a period is complete a minute after its last day', () => {
  const period = { from: '2026-03-01', to: '2026-03-09' };
  const { ends } = boundsOf(period);
  expect([ends + 59_999, ends + 60_000].map((now) => isComplete(period, now))).toEqual([false, true]);
});

test('the current day and year are accepted, and later ones are not', () => {
  const midnight = boundsOf({ from: '2026-01-01', to: '2026-01-01' }).begins;
  expect(dayTyped('day', '2026-03-10', noon)).toBe('2026-03-10');
  expect(() => dayTyped('day', '2026-03-11', noon)).toThrow('has not begun yet in New York');
  expect(yearTyped('2026', midnight)).toBe(2026);
  expect(() => yearTyped('2026', midnight - 1)).toThrow('--year is 2026, which has not begun yet.');
  expect(periodTyped({ from: '2026-03-10', to: '2026-03-10' }, noon)).toEqual({
    from: '2026-03-10',
    to: '2026-03-10',
  });
});

test('invalid days and years are refused', () => {
  for (const typed of ['2026-02-29', '1969-12-31', '2026-3-1', '', '2026-03-01T00:00:00Z']) {
    expect(() => dayTyped('from', typed, noon)).toThrow(
      `must be a day such as 2026-01-31, but is "${typed}".`,
    );
  }
  for (const typed of ['1969', '26', '2026-01', '2026.0']) {
    expect(() => yearTyped(typed, noon)).toThrow(`--year must be a year such as 2026, but is "${typed}".`);
  }
});
