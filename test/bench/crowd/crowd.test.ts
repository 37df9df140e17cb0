import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Bundles, loadBundles } from '../../world/bundles.ts';
import { runMidnight } from './midnight.ts';
import { type Load, runPeak } from './peaks.ts';
import { createPressure } from './pressure.ts';

let bundles: Bundles;
beforeAll(async () => {
  bundles = await loadBundles();
});

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

describe('a load', () => {
  const rate = 40;
  const asked = 60;
  const whole = { rate, part: 1, chains: 1, isLimited: true };

  it.each<[Load, string, string[]]>([
    ['credits', 'IndexWrite …#tickets', ['tickets/credit']],
    ['plays', 'IndexWrite …#outcomes', ['games/play', 'play/open', 'play/spin']],
    ['orders', 'IndexWrite …#orders', ['amoe/queue']],
    ['calls', 'TableWrite CALLS#…#day', ['call']],
  ])('of %s below all limits succeeds, and loads %s', async (load, name, answered) => {
    const { hottest, got } = await runPeak(load, { ...whole, bundles });
    expect(got.map(({ what }) => what)).toEqual(answered);
    for (const each of got) expect(each).toMatchObject({ asked, success: 1, refused: 0 });
    const heat = hottest.find(({ kind, key }) => `${kind} ${key}` === name);
    // Digests do not spread the users evenly, so the busiest shard gets over a sixteenth of the requests.
    expect(heat?.units).toBeGreaterThan(rate / 16);
    expect(heat?.units).toBeLessThan(asked / 2);
    expect(hottest.every(({ refused }) => refused === 0)).toBe(true);
  });

  it('that runs in part reports the whole load and its refusals', async () => {
    const { hottest, got } = await runPeak('credits', { ...whole, bundles, rate: 32_000, part: 0.00125 });
    const heat = hottest.find(({ key }) => key === '…#tickets');
    expect(heat?.units).toBeGreaterThan(900);
    expect(heat?.units).toBeLessThan(3000);
    expect(heat?.refused).toBeGreaterThan(0);
    expect(got).toMatchObject([{ asked }]);
  });
});

test('a midnight counts each spin once, and has a first spin for each organization', async () => {
  const options = { bundles, spins: 100, chains: 4, spinsOfOthers: 20, plays: 0.2, maxMinutes: 30 };
  const { minutes, firstSpins, ordered, ran, repeated, open } = await runMidnight(options);
  expect({ ordered, ran, repeated, open }).toEqual({ ordered: 200, ran: 200, repeated: 0, open: 0 });
  expect(minutes.at(-1)?.spins).toBe(200);
  expect(firstSpins).toHaveLength(6);
  for (const ms of firstSpins) expect(ms).toBeGreaterThan(0);
  expect(minutes.reduce((sum, { players }) => sum + players.failed, 0)).toBe(0);
});
