import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { parseTimetable } from '../../../../../infra/develop/local/aws/schedule-expression.ts';

const newYork = 'America/New_York';

/** Returns the next `count` runs of a schedule after a time, as ISO times. */
function runs(
  expression: string,
  { after, zone = 'UTC', count = 3 }: { after: string; zone?: string; count?: number },
) {
  const times = parseTimetable(expression, zone, Date.parse(after));
  const found: string[] = [];
  for (
    let at = times.next(Date.parse(after));
    at !== undefined && found.length < count;
    at = times.next(at)
  ) {
    found.push(new Date(at).toISOString().replace('.000', ''));
  }
  return found;
}

test('midnight in New York is local midnight before, on and after clock changes', () => {
  const expression = 'cron(0 0 * * ? *)';
  expect(runs(expression, { after: '2026-03-07T12:00:00Z', zone: newYork })).toEqual([
    '2026-03-08T05:00:00Z',
    '2026-03-09T04:00:00Z',
    '2026-03-10T04:00:00Z',
  ]);
  expect(runs(expression, { after: '2026-10-31T12:00:00Z', zone: newYork })).toEqual([
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00:00Z',
    '2026-11-03T05:00:00Z',
  ]);
});

test('a time in the skipped hour does not run that day', () => {
  expect(runs('cron(30 2 * * ? *)', { after: '2026-03-07T12:00:00Z', zone: newYork, count: 2 })).toEqual([
    '2026-03-09T06:30:00Z',
    '2026-03-10T06:30:00Z',
  ]);
});

test('a time in the repeated hour runs once, the first time', () => {
  expect(runs('cron(30 1 * * ? *)', { after: '2026-10-31T12:00:00Z', zone: newYork, count: 2 })).toEqual([
    '2026-11-01T05:30:00Z',
    '2026-11-02T06:30:00Z',
  ]);
  expect(runs('cron(30 1 * * ? *)', { after: '2026-11-01T05:45:00Z', zone: newYork, count: 1 })).toEqual([
    '2026-11-02T06:30:00Z',
  ]);
});

test('a rate runs at its start and then every interval', () => {
  const start = Date.parse('2026-01-05T12:00:00Z');
  const times = parseTimetable('rate(15 minutes)', 'UTC', start);
  expect(times.next(start - 1)).toBe(start);
  expect(times.next(start)).toBe(start + 15 * 60_000);
  expect(times.next(start + 15 * 60_000 + 1)).toBe(start + 30 * 60_000);
});

test('a one-time expression is a local time in its zone', () => {
  expect(runs('at(2026-07-01T00:00:00)', { after: '2026-01-05T12:00:00Z', zone: newYork })).toEqual([
    '2026-07-01T04:00:00Z',
  ]);
});

test.each([
  'every day',
  'rate(0 minutes)',
  'rate(5 seconds)',
  'at(2026-07-01)',
  'at(2026-13-01T00:00:00)',
  'cron(0 0 * * *)',
  'cron(0 0 * * * *)',
  'cron(60 0 * * ? *)',
  'cron(0 24 * * ? *)',
  'cron(0 0 1 * ? *)',
])('%s is refused', (expression) => {
  expect(() => parseTimetable(expression, 'UTC', 0)).toThrow(RangeError);
});

test('a time zone that does not exist is refused', () => {
  expect(() => parseTimetable('cron(0 0 * * ? *)', 'America/Gotham', 0)).toThrow(RangeError);
});

test('the next daily run after any time is within two days and at its local time', () => {
  const anyInstant = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2035-01-01') });
  const anyTime = fc.record({ hour: fc.nat(23), minute: fc.nat(59) });
  fc.assert(
    fc.property(anyInstant, anyTime, (after, { hour, minute }) => {
      const next = parseTimetable(`cron(${minute} ${hour} * * ? *)`, newYork, 0).next(after)!;
      const local = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(newYork);
      expect(next).toBeGreaterThan(after);
      expect(next - after).toBeLessThanOrEqual(49 * 3_600_000);
      expect({ hour: local.hour, minute: local.minute }).toEqual({ hour, minute });
    }),
    { numRuns: 300 },
  );
});
