import type { JSHandle, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { newPage, phone, playButton, runToResult, screenshot } from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();
const moving = { ...phone, reducedMotion: 'no-preference' as const };

const parameters = { x: /translate\((\S+)/, y: /translate\(\S+ ([^)]+)/, turn: /rotate\(([-\d.]+)/ };
type Range = [number, number];
type Motion = [selector: string, of: keyof typeof parameters, lowest: Range, highest: Range];
/** Motions of each game, with the ranges of their lowest and highest values (SVG units or degrees) during a play. */
const motions: Record<Game, Motion[]> = {
  prizewheel: [
    ['#disc', 'turn', [0, 20], [340, 360]],
    ['#flap', 'turn', [-30, -10], [0, 0]],
  ],
  truck: [
    ['#far', 'x', [-400, -10], [-10, 0]],
    ['#near', 'x', [-400, -10], [-10, 0]],
    ['#dashes', 'x', [-400, -380], [-20, 0]],
    ['#body', 'y', [-4, -1], [0.5, 3]],
    ['#body', 'turn', [-4, -2], [0.8, 2]],
    ['#wheel-a', 'turn', [0, 90], [720, 1e6]],
    ['#wheel-b', 'turn', [0, 90], [720, 1e6]],
    ['#lid', 'x', [-95, -95], [0, 3]],
    ['#lid', 'y', [-90, -90], [0, 0]],
    ['#lid', 'turn', [-75, -75], [0, 0]],
  ],
  flight: [
    ['#high', 'x', [-400, -10], [-10, 0]],
    ['#low', 'x', [-400, -10], [-10, 0]],
    ['#shore', 'x', [-400, -10], [-10, 0]],
    ['#dashes', 'x', [-400, -380], [-20, 0]],
    ['#ground', 'y', [0, 0], [200, 240]],
    ['#shade', 'y', [0, 0], [200, 240]],
    ['#gear', 'y', [-52, -50], [0, 0]],
    ['#plane', 'y', [-53, -36], [-1, 1]],
    ['#plane', 'turn', [-15, -4], [0, 2]],
  ],
};

describe.each(games)('%s', (game) => {
  test('moves on the click and stops at the drawn prize', async () => {
    const { page, problems } = await newPage(stage.browser, moving);
    const url = await stage.fixture.openPlay({
      game,
      prizeId: 'cash-100',
      prizes: [...withLikelyJackpot(game)],
    });
    // Uses a fake clock, because without a graphics card, animation frames take seconds of real time.
    await page.clock.install();
    await page.goto(url);
    const poses = await posesWhilePlayed(page);
    const puffs = await puffsFrom(page);
    await playButton(page).click();
    await page.clock.runFor(500);
    await screenshot(page, `${game}-moving`);
    await runToResult(page);
    expect(await wrongMotions(game, poses)).toEqual([]);
    expect(await page.locator('#result').textContent()).toContain('$100 cash');
    // The amount counts up.
    const medal = async () => {
      await page.clock.runFor(500);
      return page.locator('#medal').textContent();
    };
    await expect.poll(medal).toContain('$100');
    if (game === 'prizewheel') await expect.poll(() => wedgeAtPointer(page)).toBe('cash-100');
    // Four puffs of smoke from the main wheels, and one from the nose wheel.
    if (game === 'flight') expect(await puffs.evaluate(({ length }) => length)).toBe(5);
    await screenshot(page, `${game}-celebrated`);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('shows the drawn prize at rest if the result arrived while the page was hidden', async () => {
    const { page, problems } = await newPage(stage.browser, moving);
    const prizes = [...withLikelyJackpot(game)];
    const url = await stage.fixture.openPlay({ game, prizeId: 'cash-100', prizes });
    await page.clock.install();
    await page.addInitScript(holdFrames);
    await page.goto(url);
    await playButton(page).click();
    await runToResult(page);
    await page.evaluate(() => dispatchEvent(new Event('seen')));
    await page.clock.runFor(200);
    const pose = () => page.locator('#stage').evaluate((stage) => stage.querySelector('svg')!.outerHTML);
    const wheel = () =>
      page.locator('#stage .disc').evaluateAll((discs) => discs.map(({ style }) => style.transform));
    const atFirst = [await pose(), await wheel()];
    await page.clock.runFor(1_000);
    expect([await pose(), await wheel()]).toEqual(atFirst);
    if (game === 'prizewheel') await expect.poll(() => wedgeAtPointer(page)).toBe('cash-100');
    await screenshot(page, `${game}-seen-late`);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

/** Delays animation frames from the click until the event `seen`, as a browser does while the page is hidden. */
const holdFrames = () => {
  const request = requestAnimationFrame;
  const held: FrameRequestCallback[] = [];
  const isPressed = () => document.querySelector('#go')?.getAttribute('aria-disabled') === 'true';
  let isHidden = false;
  window.requestAnimationFrame = (draw) => {
    isHidden ||= isPressed();
    return isHidden ? held.push(draw) : request(draw);
  };
  addEventListener('seen', () => {
    window.requestAnimationFrame = request;
    held.forEach(request);
  });
};

function* withLikelyJackpot(game: Game) {
  for (const prize of defaultPrizeTables[game].prizes) {
    yield prize.id === 'cash-100' ? { ...prize, weight: 10_000 } : prize;
  }
}

/** Returns a map that collects each part's transforms, by selector, at each animation frame after the click. */
const posesWhilePlayed = (page: Page) =>
  page.evaluateHandle(() => {
    const poses = new Map<string, string[]>();
    const look = () => {
      const isPressed = document.querySelector('#go')?.getAttribute('aria-disabled') === 'true';
      const parts = isPressed ? document.querySelectorAll<SVGElement>('#stage [id]') : [];
      for (const part of parts) {
        const selector = `#${part.id}`;
        const posesOfPart = poses.get(selector) ?? [];
        poses.set(selector, posesOfPart);
        posesOfPart.push(part.getAttribute('transform') ?? part.style.transform);
      }
      requestAnimationFrame(look);
    };
    look();
    return poses;
  });

/** Returns the motions of a game whose lowest or highest value is outside its range. */
async function wrongMotions(game: Game, poses: JSHandle<Map<string, string[]>>) {
  const posesOf = await poses.evaluate((all) => Object.fromEntries(all));
  const isIn = (value: number, [low, high]: Range) => value >= low && value <= high;
  return motions[game].flatMap(([selector, of, lowest, highest]) => {
    const values = posesOf[selector]!.map((pose) => Number(parameters[of].exec(pose)?.[1] ?? 0));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return isIn(low, lowest) && isIn(high, highest) ? [] : [`${selector} ${of}: ${low} to ${high}`];
  });
}

/** Returns a list that collects the puffs of dust or smoke from now on. */
const puffsFrom = (page: Page) =>
  page.evaluateHandle(() => {
    const puffs: Node[] = [];
    const collect = (changes: MutationRecord[]) =>
      puffs.push(...changes.flatMap((one) => [...one.addedNodes]));
    const dust = document.querySelector('#dust');
    if (dust) new MutationObserver(collect).observe(dust, { childList: true });
    return puffs;
  });

const wedgeAtPointer = (page: Page) =>
  page.evaluate(() => {
    const wheel = document.querySelector('.wheel')!.getBoundingClientRect();
    const x = wheel.left + wheel.width / 2;
    const y = wheel.top + wheel.height * 0.16;
    const stack = document.elementsFromPoint(x, y);
    return stack.map((element) => element.closest('[data-prize]')?.getAttribute('data-prize')).find(Boolean);
  });
