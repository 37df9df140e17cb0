import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayOf,
  hoursOfDay,
  isoOf,
  newYorkTime,
  parseInstant,
  serviceZone,
  startOfDay,
  startOfToday,
  timestampPattern,
} from '../../shared/time.ts';

const hour = 3_600_000;
const at = (iso: string) => Date.parse(iso);
/** Generates times from 1970 to 9999, the years that the service accepts. */
const instants = fc.integer({ min: 0, max: at('9999-12-30T00:00:00Z') });
const years = fc.integer({ min: at('2007-06-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') });

describe('a timestamp', () => {
  test.each([
    ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30:00.123456Z', '2026-11-20T08:30:00.123Z'],
    ['2026-11-20T08:30:00,5Z', '2026-11-20T08:30:00.500Z'],
    ['2026-11-20T08:30Z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20 08:30:00z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30:00+02:00', '2026-11-20T06:30:00.000Z'],
    ['2026-11-20T08:30:00-0500', '2026-11-20T13:30:00.000Z'],
    ['2026-11-20 08:30:00+00', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30-05', '2026-11-20T13:30:00.000Z'],
    ['2026-11-20T08:30:00', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30', '2026-11-20T08:30:00.000Z'],
    ['2024-02-29', '2024-02-29T05:00:00.000Z'],
    ['2026-07-04', '2026-07-04T04:00:00.000Z'],
    // On the day of a clock change, midnight still has the offset from before the change.
    ['2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['1970-01-01', '1970-01-01T05:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, expected) => {
    expect(isoOf(parseInstant(text)!)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    'today',
    '2026',
    '2026-11',
    '2026-1-2',
    '20261120',
    '2026-13-01',
    '2026-02-29',
    '2026-04-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T08:60:00Z',
    '2026-11-20T08:30:00+25:00',
    '2026-11-20T08:30:00 +01:00',
    '2026-11-20T08',
    '2026-11-20T08:30:00.Z',
    '2026-11-20T08:30:00Z[America/New_York]',
    ' 2026-11-20',
    '2026-11-20\n',
    '1969-12-31T23:59:59Z',
    '1969-12-31',
    '+012026-11-20T08:30:00Z',
    '-000001-01-01T00:00:00Z',
    '10000-01-01',
    '9999-12-31T23:59:59-05:00',
    '1763628600000',
    '２０２６-11-20',
    'Fri, 20 Nov 2026 08:30:00 GMT',
  ])('"%s" is refused', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('written by the service is parsed to the same time', () => {
    fc.assert(fc.property(instants, (epochMs) => parseInstant(isoOf(epochMs)) === epochMs));
  });

  test('from any text is either parsed or refused, without an error', () => {
    const nearly = fc.stringMatching(/^[0-9TZ:.,+ -]{0,30}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        const epochMs = parseInstant(text);
        return epochMs === undefined || (Number.isSafeInteger(epochMs) && epochMs >= 0);
      }),
    );
  });
});

describe('the pattern of timestamps', () => {
  const pattern = new RegExp(timestampPattern);
  const digits = (length: number, ...numbers: number[]) =>
    fc.constantFrom(...numbers.map((number) => String(number).padStart(length, '0')));
  const years = digits(4, 0, 1969, 1971, 1972, 1900, 2000, 2024, 2026, 2096, 2100, 2400, 9996, 9998, 10_000);
  const days = digits(2, 0, 1, 9, 10, 28, 29, 30, 31, 32);

  test('accepts exactly the days of the calendar', () => {
    fc.assert(
      fc.property(years, digits(2, 0, 1, 2, 3, 4, 6, 9, 10, 11, 12, 13), days, (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const date = new Date(`${text}T00:00:00Z`);
        const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        const isMeant = isDay && Number(year) >= 1970;
        expect([pattern.test(text), parseInstant(text) !== undefined]).toEqual([isMeant, isMeant]);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['T23:59', true],
    ['T24:00', false],
    ['T00:60', false],
    ['T00:00:59', true],
    ['T00:00:60', true],
    ['T00:00:61', false],
    ['T00:00:00.123456789', true],
    ['T00:00:00.1234567890', false],
    ['T00:00.5', false],
    ['T00:00+23:59', true],
    ['T00:00+24:00', false],
    ['T00:00-0560', false],
    ['T00:00-05', true],
    ['T00:00-24', false],
    ['T00:00-5', false],
  ])('and the parser agree on the time %s', (time, isTime) => {
    const text = `2026-11-20${time}`;
    expect([pattern.test(text), parseInstant(text) !== undefined]).toEqual([isTime, isTime]);
  });

  test('accepts only what the parser accepts, except for offsets at both ends', () => {
    const fitting = fc.stringMatching(pattern).filter((text) => !/^(1970-01-01|9999-12-31)/.test(text));
    fc.assert(
      fc.property(fitting, (text) => parseInstant(text) !== undefined),
      { numRuns: 2000 },
    );
    expect(pattern.test('1970-01-01T00:00+00:01')).toBe(true);
    expect(parseInstant('1970-01-01T00:00+00:01')).toBeUndefined();
  });
});

describe('a day in New York', () => {
  test('has 23, 24 or 25 hours, and starts at local midnight', () => {
    fc.assert(
      fc.property(years, (epochMs) => {
        const day = dayOf(epochMs);
        const [begins, ends] = [startOfDay(day), startOfDay(addDays(day, 1))];
        expect([23, 24, 25]).toContain((ends - begins) / hour);
        expect(begins <= epochMs && epochMs < ends).toBe(true);
        expect([dayOf(begins), dayOf(ends - 1), dayOf(begins - 1)]).toEqual([day, day, addDays(day, -1)]);
        expect(startOfToday(epochMs)).toBe(isoOf(begins));
      }),
    );
  });

  test.each([
    ['2026-03-08', 23],
    ['2026-11-01', 25],
    ['2026-11-20', 24],
  ])('%s has %i hours', (day, hours) => {
    const [begins, ends] = [startOfDay(day), startOfDay(addDays(day, 1))];
    expect((ends - begins) / hour).toBe(hours);
    expect(hoursOfDay(begins)).toEqual({ begun: 1, all: hours });
    // `dayOf` caches the start and end of the day that it returned last. The second and third call test these bounds.
    expect([begins, ends - 1, ends].map((at) => dayOf(at))).toEqual([day, day, addDays(day, 1)]);
  });

  test.each([
    ['2026-11-20T04:59:59.999Z', '2026-11-19'],
    ['2026-11-20T05:00:00.000Z', '2026-11-20'],
    ['2026-07-20T03:59:59.999Z', '2026-07-19'],
    ['2026-07-20T04:00:00.000Z', '2026-07-20'],
    ['2026-01-01T04:59:59.999Z', '2025-12-31'],
  ])('at %s is %s', (instant, day) => {
    expect(dayOf(at(instant))).toBe(day);
  });
});

describe('New York, as Temporal computes it', () => {
  // Half of the instants are within three hours of a clock change.
  const nearChange = fc
    .tuple(fc.integer({ min: 2007, max: 2400 }), fc.constantFrom(1, 6), fc.integer({ min: -180, max: 180 }))
    .map(([year, month, minutes]) => {
      const start = Temporal.ZonedDateTime.from({ timeZone: serviceZone, year, month, day: 1 });
      return start.getTimeZoneTransition('next')!.epochMilliseconds + minutes * 60_000;
    });
  const all = fc.oneof(instants, nearChange);
  const zoned = (epochMs: number) =>
    Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(serviceZone);

  test('has the same day and offset', () => {
    fc.assert(
      fc.property(all, (epochMs) => {
        const local = zoned(epochMs);
        expect(dayOf(epochMs)).toBe(local.toPlainDate().toString());
        expect(startOfDay(dayOf(epochMs))).toBe(local.startOfDay().epochMilliseconds);
        expect(newYorkTime(epochMs)).toBe(
          local.toString({ timeZoneName: 'never', smallestUnit: 'second', roundingMode: 'floor' }),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('has the same instant for a skipped or repeated time', () => {
    fc.assert(
      fc.property(nearChange, fc.integer({ min: -180, max: 180 }), (epochMs, minutes) => {
        const text = zoned(epochMs).toPlainDateTime().add({ minutes }).toString({ smallestUnit: 'minute' });
        const expected = Temporal.PlainDateTime.from(text).toZonedDateTime(serviceZone).epochMilliseconds;
        expect(parseInstant(text, serviceZone)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
