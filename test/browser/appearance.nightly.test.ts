import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Game, games } from '../../shared/vocabulary.ts';
import {
  accessibilityViolations,
  newPage,
  overflowingElements,
  overflowOf,
  phone,
  playToResult,
  screenshot,
} from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

test.each([
  ['dark', { colorScheme: 'dark' }],
  ['forced-colors', { forcedColors: 'active' }],
] as const)('with %s colors, the page is readable before and after the play', async (name, options) => {
  // With forced colors, ignores color contrast: axe checks the CSS's colors, which the browser replaces.
  const violations = async (page: Page) =>
    (await accessibilityViolations(page)).filter(({ id }) => name === 'dark' || id !== 'color-contrast');
  const { page } = await newPage(stage.browser, { ...phone, ...options });
  await page.goto(await stage.fixture.openPlay({ lang: 'es' }));
  await page.locator('#odds summary').click();
  expect(await violations(page)).toEqual([]);
  await screenshot(page, `${name}-ready`, true);
  await playToResult(page);
  await page.locator('#verdict[data-verdict]').waitFor({ state: 'attached' });
  expect(await violations(page)).toEqual([]);
  await screenshot(page, `${name}-played`, true);
  await page.context().close();
});

test.each(games)('with text twice as large, the %s fits a screen of 360 pixels', async (game: Game) => {
  const { page } = await newPage(stage.browser, phone);
  await page.goto(await stage.fixture.openPlay({ game, lang: 'es', balance: 1_234_567 }));
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const fits = async () => {
    expect(await overflowOf(page)).toBe(0);
    const cut = await overflowingElements(page, 'h1, h2, p, button, summary, td, th, dd');
    expect(cut).toEqual([]);
    // Expects at least 200 px for the prizes' names, beside the column with the chances of winning.
    const widths = await page
      .locator('.odds[open] .prize span')
      .evaluateAll((spans) => spans.map((span) => span.parentElement!.clientWidth));
    expect(Math.min(200, ...widths)).toBe(200);
  };
  await page.locator('#odds summary').click();
  await fits();
  await screenshot(page, `${game}-twice-the-text`, true);
  await playToResult(page);
  await fits();
  await screenshot(page, `${game}-twice-the-text-played`, true);
  await page.context().close();
});

test('without JavaScript, the truck is drawn correctly and the page says that it needs JavaScript', async () => {
  const { page } = await newPage(stage.browser, { ...phone, javaScriptEnabled: false });
  await page.goto(await stage.fixture.openPlay({ game: 'truck' }));
  await page.locator('noscript p').waitFor();
  const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const [body, ...wheels] = [await boxOf('#body'), await boxOf('#wheel-a'), await boxOf('#wheel-b')];
  for (const wheel of wheels) {
    expect(wheel.x).toBeGreaterThan(body.x);
    expect(wheel.x + wheel.width).toBeLessThan(body.x + body.width);
    expect(wheel.y).toBeLessThan(body.y + body.height);
  }
  await page.context().close();
});

test('sound is off by default, and has a switch wherever a game can be played', async () => {
  const { page, problems } = await newPage(stage.browser, phone);
  await page.goto(await stage.fixture.openPlay());
  const sound = page.getByRole('button', { name: 'Sound' });
  expect(await sound.getAttribute('aria-pressed')).toBe('false');
  await sound.click();
  expect(await sound.getAttribute('aria-pressed')).toBe('true');
  await playToResult(page);
  await sound.click();
  expect(await sound.getAttribute('aria-pressed')).toBe('false');
  expect(problems).toEqual([]);
  await page.goto(await stage.fixture.openPlay({ restriction: { code: 'insufficient_tickets' } }));
  expect(await page.locator('#sound').isVisible()).toBe(false);
  await page.context().close();
});

test('the audio context runs only while a sound plays', async () => {
  const { page } = await newPage(stage.browser, phone);
  await page.addInitScript(() => {
    const states: string[] = [];
    class Watched extends AudioContext {
      constructor() {
        super();
        this.onstatechange = () => states.push(this.state);
      }
    }
    Object.assign(window, { states, AudioContext: Watched });
  });
  const states = () => page.evaluate(() => (window as unknown as { states: string[] }).states);
  await page.goto(await stage.fixture.openPlay());
  const sound = page.getByRole('button', { name: 'Sound' });
  await sound.click();
  const once = ['running', 'suspended'];
  await expect.poll(states).toEqual(once);
  await playToResult(page);
  await expect.poll(states).toEqual([...once, ...once]);
  await sound.click();
  await expect.poll(states).toEqual([...once, ...once, 'closed']);
  await page.context().close();
});
test('the picture of the three games, which README shows, has no empty scene', async () => {
  const { page } = await newPage(stage.browser, { ...phone, deviceScaleFactor: 1.5 });
  const shots: string[] = [];
  for (const game of games) {
    await page.goto(await stage.fixture.openPlay({ game, balance: 25 }));
    if (game === 'truck') await playToResult(page);
    expect(await page.locator('.scene, .wheel').count()).toBe(1);
    shots.push((await page.screenshot({ type: 'jpeg', quality: 90 })).toString('base64'));
  }
  await page.setViewportSize({ width: 3 * 372 + 12, height: 764 });
  const images = shots.map((shot) => `<img width="360" src="data:image/jpeg;base64,${shot}">`);
  await page.setContent(`<body style="margin:12px;display:flex;gap:12px;background:#fff">${images.join('')}`);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: 'functions/play/page/games.jpg', type: 'jpeg', quality: 70, scale: 'css' });
  await page.context().close();
});
