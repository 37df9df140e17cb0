import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { newPage, phone, playButton, runToResult, screenshot } from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();
const moving = { ...phone, reducedMotion: 'no-preference' as const };

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
    const poses = await posesWhilePlayed(page, game === 'prizewheel' ? '#disc' : '#dashes');
    const puffs = await puffsFrom(page);
    await playButton(page).click();
    await page.clock.runFor(500);
    await screenshot(page, `${game}-moving`);
    await runToResult(page);
    expect(await poses.evaluate(({ size }) => size)).toBeGreaterThan(20);
    expect(await page.locator('#result').textContent()).toContain('$100 cash');
    expect(await page.locator('#medal').textContent()).toContain('$100');
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

/** Returns a set that collects the element's transform at each animation frame after the click. */
const posesWhilePlayed = (page: Page, selector: string) =>
  page.evaluateHandle((selector) => {
    const poses = new Set<string>();
    const look = () => {
      const element = document.querySelector<SVGElement>(selector)!;
      const isPressed = document.querySelector('#go')?.getAttribute('aria-disabled') === 'true';
      if (isPressed) poses.add(element.getAttribute('transform') ?? element.style.transform);
      requestAnimationFrame(look);
    };
    look();
    return poses;
  }, selector);

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
