import { expect, test } from 'vitest';
import { dayAfter, dayAt, daysBetween, parseHostTime, startOf, timeIn } from './days-and-ulids.ts';

test('a day starts at midnight in New York, also with 23 or 25 hours', () => {
  expect(new Date(startOf('2026-03-08')).toISOString()).toBe('2026-03-08T05:00:00.000Z');
  expect(new Date(startOf('2026-03-09')).toISOString()).toBe('2026-03-09T04:00:00.000Z');
  expect(startOf('2026-11-02') - startOf('2026-11-01')).toBe(25 * 3_600_000);
  expect(dayAt(startOf('2026-11-01'))).toBe('2026-11-01');
  expect(dayAt(startOf('2026-11-01') - 1)).toBe('2026-10-31');
  expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  expect(daysBetween(startOf('2026-03-08') - 1, startOf('2026-03-08'))).toEqual(['2026-03-07', '2026-03-08']);
});

test('the time of a ULID is that of its first ten digits', () => {
  expect(timeIn('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(1_469_922_850_259);
});

test.each([
  ['2026-03-06', '2026-03-06T05:00:00.000Z'],
  ['2026-03-06T10:00:00', '2026-03-06T10:00:00.000Z'],
  ['2026-03-06T10:00+02:00', '2026-03-06T08:00:00.000Z'],
  ['2026-03-06T10:00:00.5Z', '2026-03-06T10:00:00.500Z'],
])('a host’s time %s is %s', (text, instant) => {
  expect(new Date(parseHostTime(text)).toISOString()).toBe(instant);
});
