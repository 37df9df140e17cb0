import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { games, langs } from '../../shared/vocabulary.ts';
import {
  accessibilityViolations,
  desktop,
  newPage,
  outcomeShown,
  overflowOf,
  phone,
  playButton,
  playToResult,
  screenshot,
} from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();
const texts = { en, es };
const sizes = { phone, desktop };
const onItsSide = { ...phone, viewport: { width: 740, height: 360 } };

// Tests each game in each language and in both sizes, but not every combination of the three.
const cases = games.flatMap((game, g) =>
  langs.map((lang, l) => ({ game, lang, size: (['phone', 'desktop'] as const)[(g + l) % 2]! })),
);

const missingIcons = (page: Page) =>
  page
    .locator('use')
    .evaluateAll((uses) =>
      uses.map((use) => use.getAttribute('href')!).filter((id) => !document.querySelector(id)),
    );

// Checks only phones, because the desktop layout has the same elements and colors.
const expectAccessible = async (page: Page, size: keyof typeof sizes) => {
  if (size === 'phone') expect(await accessibilityViolations(page)).toEqual([]);
};

describe.each(cases)('$game in $lang on a $size', ({ game, lang, size }) => {
  test('shows the game and plays it', async () => {
    const { page, problems, requested } = await newPage(stage.browser, sizes[size]);
    const url = await stage.fixture.openPlay({ game, lang, rulesUrl: 'https://example.com/rules' });
    await page.goto(url);
    const t = texts[lang];

    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(t.games[game].title);
    expect(await playButton(page).count()).toBe(1);
    expect(await playButton(page).textContent()).toContain(t.action[game]);
    expect(await page.locator('#balance').textContent()).toBe('24');
    expect(await page.getByRole('link', { name: t.rules }).getAttribute('href')).toBe(
      'https://example.com/rules',
    );
    expect(await page.locator('#left').textContent()).toMatch(/\d+:\d\d/);
    await page.locator('#odds').evaluate((details) => details.setAttribute('open', ''));
    for (const prize of defaultPrizeTables[game].prizes) {
      expect(await page.locator('#odds').textContent()).toContain(prize.label[lang]);
    }
    expect(await missingIcons(page)).toEqual([]);
    await expectAccessible(page, size);
    await screenshot(page, `${game}-${lang}-${size}-ready`, true);

    const status = await playToResult(page);
    const { outcome, fairness } = stage.fixture.playOf(url);
    const won = defaultPrizeTables[game].prizes.find(({ id }) => id === fairness?.prize_id);
    expect(status).toContain(won?.label[lang]);
    expect(await outcomeShown(page)).toBe(outcome?.id);
    expect(await page.locator('#balance').textContent()).toBe(String(stage.fixture.playOf(url).balance));
    await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
    expect(await missingIcons(page)).toEqual([]);
    await expectAccessible(page, size);
    await screenshot(page, `${game}-${lang}-${size}-played`, true);

    for (const viewport of [sizes[size].viewport!, phone.viewport!]) {
      await page.setViewportSize(viewport);
      expect(await overflowOf(page)).toBe(0);
    }
    expect(
      requested.every(
        (address) => address === url || address === `${url}/spin` || address.startsWith('data:'),
      ),
    ).toBe(true);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

test.each([740, 640, 300])(
  'on a screen of %i pixels, the result’s heading and as much of it as fits are in view, with the back button below',
  async (height) => {
    const { page } = await newPage(stage.browser, { ...phone, viewport: { width: 360, height } });
    const settings = { return_url: 'https://example.com/back' };
    await page.goto(await stage.fixture.openPlay({ lang: 'es', page: settings }));
    await playToResult(page);
    const edgesOf = async (selector: string) => {
      const { y, height } = (await page.locator(selector).boundingBox())!;
      return { top: y, bottom: y + height };
    };
    const lowest = height > 500 ? '#back' : '#result';
    await expect.poll(async () => (await edgesOf(lowest)).bottom).toBeLessThanOrEqual(height);
    expect((await edgesOf('#result')).top).toBeGreaterThanOrEqual(0);
    await screenshot(page, `result-in-sight-${height}`);
    await page.context().close();
  },
);

test.each(games)(
  'in landscape and on each screen, the %s shows its button and its largest prize',
  async (game) => {
    const { page } = await newPage(stage.browser, onItsSide);
    const prize = { id: 'most', kind: 'cash_usd' as const, amount: 1_000_000, weight: 1 };
    const prizes = [{ ...prize, label: { en: 'A million', es: 'Un millón' } }];
    await page.goto(await stage.fixture.openPlay({ game, lang: 'es', prizes }));
    const button = await playButton(page).boundingBox();
    expect(button!.y + button!.height).toBeLessThanOrEqual(onItsSide.viewport.height);
    await playToResult(page);
    expect(await missingIcons(page)).toEqual([]);
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    // Expects that, on a phone in landscape orientation, the prize covers less than 45% of the scene's width.
    expect((await boxOf('#medal')).width).toBeLessThan((await boxOf('.wheel, .scene')).width * 0.45);
    await screenshot(page, `${game}-es-landscape-played`);
    for (const { viewport } of [onItsSide, phone, desktop]) {
      await page.setViewportSize(viewport!);
      expect((await boxOf('#medal b')).width).toBeLessThan((await boxOf('#medal')).width * 0.9);
      expect(await overflowOf(page)).toBe(0);
    }
    await page.context().close();
  },
);

test('a browser of early 2020 can play a game and check its draw', async () => {
  const { page, problems } = await newPage(stage.browser);
  // Removes APIs that browsers added after early 2020, so that the test fails if the page uses one of them.
  await page.addInitScript(() => {
    const later: [object, string[]][] = [
      [Array.prototype, ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']],
      [Object.getPrototypeOf(Uint8Array.prototype), ['at', 'findLast', 'toReversed', 'toSorted', 'with']],
      [Uint8Array, ['fromBase64', 'fromHex']],
      [Uint8Array.prototype, ['toBase64', 'toHex']],
      [Array, ['fromAsync']],
      [String.prototype, ['at', 'replaceAll', 'isWellFormed', 'toWellFormed']],
      [Object, ['hasOwn', 'groupBy']],
      [Map, ['groupBy']],
      [Promise, ['any', 'try', 'withResolvers']],
      [AbortSignal, ['any', 'timeout']],
      [Crypto.prototype, ['randomUUID']],
      [Element.prototype, ['replaceChildren']],
      [URL, ['canParse', 'parse']],
      [window, ['structuredClone']],
    ];
    for (const [owner, names] of later) for (const name of names) Reflect.deleteProperty(owner, name);
  });
  await page.goto(await stage.fixture.openPlay());
  await playToResult(page);
  await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
  expect(problems).toEqual([]);
  await page.context().close();
});
