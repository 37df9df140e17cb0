import { describe, expect, it, test } from 'vitest';
import { countConcurrency } from './functions.ts';
import { runPeak } from './peaks.ts';
import { createPressure } from './pressure.ts';
import { bundles, rows } from './rows.ts';

const rowOf = (name: string) => rows.find((row) => row.name === name)!;

test('the load of similar keys is that of the hottest one in its busiest second', () => {
  let now = 0;
  const pressure = createPressure(0.001);
  const { has, take } = pressure.throughput({ now: () => now });
  take('IndexWrite', 'org_1#tickets#3', 1);
  expect(has('IndexWrite', 'org_1#tickets#3')).toBe(false);
  expect(pressure.unseen(() => has('IndexWrite', 'org_1#tickets#3'))).toBe(true);
  now = 1500;
  take('IndexWrite', 'org_1#tickets#4', 500);
  take('IndexWrite', 'org_1#tickets#4', 1500);
  take('TableRead', 'ORG#org_1', 3);
  expect(pressure.hottest()).toEqual([
    { kind: 'IndexWrite', key: '…#tickets', units: 2000, share: 2, refused: 1 },
    { kind: 'TableRead', key: 'ORG#…', units: 3, share: 0.001, refused: 0 },
  ]);
  expect(pressure.hottest()).toEqual([]);
});

test('concurrent invocations are counted since the previous look', () => {
  let now = 0;
  const { change, busy } = countConcurrency(() => now);
  for (const one of [1, 1, 1, -1, -1] as const) change('worker', one);
  now = 10;
  expect(busy('worker')).toEqual({ mean: 1, max: 3 });
  now = 20;
  expect(busy('worker')).toEqual({ mean: 1, max: 1 });
  expect(busy('another')).toEqual({ mean: 0, max: 0 });
});

describe('the row', () => {
  it.each([
    ['peaks-credits', 'IndexWrite …#tickets', ['tickets/credit']],
    ['peaks-plays', 'TableRead BUDGET#…#cash#day', ['games/play', 'play/open', 'play/spin']],
    ['peaks-orders', 'IndexWrite …#orders', ['amoe/queue']],
    ['peaks-calls', 'TableWrite CALLS#…#day', ['call']],
  ])('%s loads %s, and all its requests succeed at the smallest size', async (name, key, answered) => {
    const { value, tables } = await rowOf(name).measure(0);
    expect(value).toBeGreaterThan(0);
    const [keys, responses] = tables!.map(({ lines }) => lines.slice(1));
    expect(keys!.map(([kind, of]) => `${kind} ${of}`)).toContain(key);
    const all = answered.map((what) => [what, '1.000', '0.000']);
    expect(responses!.map(([what, , , success, refused]) => [what, success, refused])).toEqual([
      ...all,
      ...all,
    ]);
  });

  it('midnight runs each spin once, from the first second on', async () => {
    const { value, tables } = await rowOf('midnight').measure(0);
    expect(value).toBe(1);
    const [minutes, firstSpins] = tables!.map(({ lines }) => lines);
    expect(minutes!.map((line) => line[minutes![0]!.indexOf('failed')])).toEqual(['failed', '0', '0']);
    const seconds = firstSpins!.slice(1).map((line) => Number(line[1]));
    expect(seconds.map((one) => one >= 0 && one < 30)).toEqual(Array(6).fill(true));
  });
});

test('a load that runs in part reports the whole load and its refusals', async () => {
  const asked = { bundles: await bundles(), rate: 32_000, part: 0.00125, isLimited: true };
  const { hottest, got } = await runPeak('credits', asked);
  const heat = hottest.find(({ key }) => key === '…#tickets');
  expect(heat?.units).toBeGreaterThan(900);
  expect(heat?.units).toBeLessThan(3000);
  expect(heat?.refused).toBeGreaterThan(0);
  expect(got).toMatchObject([{ asked: 60 }]);
});
