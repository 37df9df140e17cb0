import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { newPage, phone, screenshot } from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();
// Each frame is drawn without a graphics card, so that its pixels are what a test takes its time for.
const moving = { ...phone, deviceScaleFactor: 1, reducedMotion: 'no-preference' as const };

describe.each(games)('%s', (game) => {
  test('moves on the press and comes to rest at the prize the service drew', async () => {
    const { page, problems } = await newPage(stage.browser, moving);
    const url = await stage.fixture.openPlay({
      game,
      prizeId: 'cash-100',
      prizes: [...withLikelyJackpot(game)],
    });
    await page.goto(url);
    const poses = await posesWhilePlayed(page, game === 'prizewheel' ? '#disc' : '#dashes');
    await page.getByRole('button').click();
    await page.waitForFunction((poses) => poses.size > 2, poses);
    await screenshot(page, `${game}-moving`);
    await page.locator('#result').waitFor();
    expect(await page.locator('#result').textContent()).toContain('$100 cash');
    expect(await page.locator('#medal').textContent()).toContain('$100');
    if (game === 'prizewheel') await expect.poll(() => wedgeAtPointer(page)).toBe('cash-100');
    await screenshot(page, `${game}-celebrated`);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

function* withLikelyJackpot(game: Game) {
  for (const prize of defaultPrizeTables[game].prizes) {
    yield prize.id === 'cash-100' ? { ...prize, weight: 10_000 } : prize;
  }
}

/** The poses in which an element is from its button's press on, frame by frame: no look comes too late for them. */
const posesWhilePlayed = (page: Page, selector: string) =>
  page.evaluateHandle((selector) => {
    const poses = new Set<string>();
    const look = () => {
      const element = document.querySelector<SVGElement>(selector)!;
      const isPressed = document.querySelector('.go')?.getAttribute('aria-disabled') === 'true';
      if (isPressed) poses.add(element.getAttribute('transform') ?? element.style.transform);
      requestAnimationFrame(look);
    };
    look();
    return poses;
  }, selector);

const wedgeAtPointer = (page: Page) =>
  page.evaluate(() => {
    const wheel = document.querySelector('.wheel')!.getBoundingClientRect();
    const x = wheel.left + wheel.width / 2;
    const y = wheel.top + wheel.height * 0.16;
    const stack = document.elementsFromPoint(x, y);
    return stack.map((element) => element.closest('[data-prize]')?.getAttribute('data-prize')).find(Boolean);
  });
