import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import {
  actionTimes,
  dayMs,
  dayOf,
  midnightAfter,
  midnightBefore,
  minuteMs,
  runOnSchedule,
} from './action-times.ts';
import { createFakeApi } from './fake-api.ts';

const at = Date.parse;

test.each([
  ['2026-01-15T12:00Z', '2026-01-15T05:00Z', '2026-01-16T05:00Z'],
  ['2026-07-15T12:00Z', '2026-07-15T04:00Z', '2026-07-16T04:00Z'],
  // Daylight saving time starts on this day, so the day has 23 hours.
  ['2026-03-08T05:00Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ['2026-03-09T03:59Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  // Daylight saving time ends on this day, so the day has 25 hours.
  ['2026-11-01T04:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['2026-11-02T04:59Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
])('the day of %s is between two midnights in New York', (time, begins, ends) => {
  expect([midnightBefore(at(time)), midnightAfter(at(time))]).toEqual([at(begins), at(ends)]);
});

test('days are those of New York', () => {
  expect([dayOf(at('2026-03-09T03:59:59Z')), dayOf(at('2026-03-09T04:00Z'))]).toEqual([
    '2026-03-08',
    '2026-03-09',
  ]);
});

const start = at('2026-03-07T15:00Z');
const midnight = at('2026-03-08T05:00Z');
const share = (moments: number[], of: (moment: number) => boolean) =>
  moments.filter(of).length / moments.length;

test('the requested number of actions is drawn, mostly by day', () => {
  const moments = actionTimes(start, createRandom('1'), { perDay: 10_000, until: 0, midnightShare: 0 });
  const days = Array.from(
    { length: 300 },
    (_, i) => actionTimes(start, createRandom(`${i}`), { perDay: 10, until: 0, midnightShare: 0 }).length,
  );
  expect(days.reduce((sum, count) => sum + count, 0) / days.length).toBeCloseTo(10, -0.5);
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
  expect(share(moments, (moment) => moment >= start && moment < start + dayMs)).toBe(1);
  expect(share(moments, (moment) => moment < midnight + 60 * minuteMs && moment > midnight)).toBeLessThan(
    0.04,
  );
});

test('the requested share of actions is within minutes of midnight', () => {
  const moments = actionTimes(start, createRandom('1'), { perDay: 10_000, until: 0, midnightShare: 0.5 });
  const near = moments.filter((moment) => Math.abs(moment - midnight) < 5 * minuteMs);
  expect(near.length / moments.length).toBeGreaterThan(0.45);
  expect(share(near, (moment) => moment < midnight)).toBeCloseTo(0.5, 1);
});

test('actions run one after the other until the end', async () => {
  const { api, run } = createFakeApi();
  const until = api.now() + 3 * dayMs;
  const times: number[] = [];
  let busy = 0;
  await run(
    runOnSchedule(api, api.random, { perDay: 50, until, midnightShare: 0.3 }, async () => {
      times.push(api.now());
      expect(++busy).toBe(1);
      await api.wait(60 * minuteMs);
      busy--;
    }),
  );
  expect(times.length).toBeGreaterThan(20);
  expect(new Set(times.map(dayOf)).size).toBeGreaterThan(2);
});
