import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import { commitmentTo } from '../../shared/games/draw.ts';
import { langs } from '../../shared/vocabulary.ts';
import {
  accessibilityViolations,
  newPage,
  overflowOf,
  playButton,
  playToResult,
  screenshot,
} from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();
const texts = { en, es };

const verdictOn = async (page: Page) => {
  await page.locator('#verdict[data-verdict]').waitFor({ state: 'attached' });
  return page.locator('#verdict').getAttribute('data-verdict');
};
const storedBy = (page: Page) => page.evaluate(() => Object.entries<string>(localStorage));
/** Returns a list that grows by each client seed that the page sends. */
const seedsOf = (page: Page) => {
  const seeds: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/spin')) seeds.push(request.postDataJSON().client_seed);
  });
  return seeds;
};

test.each(langs)('a draw with a client seed other than the browser’s is reported in %s', async (lang) => {
  const { page, problems } = await newPage(stage.browser);
  await page.goto(await stage.fixture.openPlay({ lang, prizeId: 'tickets-1' }));
  await playToResult(page);
  for (const again of [false, true]) {
    if (again) await page.reload();
    expect(await verdictOn(page)).toBe('elsewhere');
    await page.locator('.fair summary').click();
    expect(await page.locator('#verdict.bad').textContent()).toContain(texts[lang].client.fair.elsewhere);
  }
  expect(await overflowOf(page)).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, `elsewhere-${lang}`, true);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a device that did not play has no seed to compare', async () => {
  const url = await stage.fixture.openPlay();
  const { page } = await newPage(stage.browser);
  const { page: other } = await newPage(stage.browser);
  await Promise.all([page.goto(url), other.goto(url)]);
  await playToResult(page);
  await other.reload();
  expect(await verdictOn(other)).toBe('good');
  expect(await storedBy(other)).toEqual([]);
  await Promise.all([page.context().close(), other.context().close()]);
});

test('a seed is stored before it is sent, and is the same after a reload and in another tab', async () => {
  const { page, context } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  const token = url.split('/').at(-1)!;
  await page.goto(url);
  const seeds = seedsOf(page);
  const stored: string[] = [];
  await page.route('**/spin', async (route) => {
    stored.push(JSON.stringify(await storedBy(page)));
    await route.fulfill({ status: 400, json: { status: 'error' } });
  });
  const isRejected = () => page.getByText(en.client.tryAgain).waitFor();
  await playButton(page).click();
  await isRejected();
  expect(stored[0]).toContain(seeds[0]);
  expect(stored[0]).not.toContain(token);
  await page.reload();
  await playButton(page).click();
  await isRejected();
  const other = await context.newPage();
  const otherSeeds = seedsOf(other);
  await other.goto(url);
  await playToResult(other);
  expect(new Set([...seeds, ...otherSeeds])).toEqual(new Set([seeds[0]]));
  expect(await verdictOn(other)).toBe('good');
  await page.reload();
  expect(await verdictOn(page)).toBe('good');
  await context.close();
});

test('each play has its own seed, and old seeds are deleted', async () => {
  const { page } = await newPage(stage.browser);
  await page.goto(await stage.fixture.openPlay());
  await page.evaluate(() => {
    for (let i = 0; i < 60; i++) localStorage.setItem(`seed/token-${i}/${i}`, `${1000 + i} commitment`);
    localStorage.setItem('theme', 'of somebody else');
  });
  const seeds = seedsOf(page);
  await playToResult(page);
  await page.goto(await stage.fixture.openPlay());
  await playToResult(page);
  expect(new Set(seeds).size).toBe(2);
  const stored = (await storedBy(page)).map(([key]) => key);
  expect(stored).toHaveLength(51);
  for (const seed of seeds) expect(stored.some((key) => key.endsWith(seed))).toBe(true);
  expect(stored).toEqual(expect.arrayContaining(['theme', 'seed/token-59/59', 'seed/token-12/12']));
  await page.context().close();
});

test.each<[string, () => void]>([
  ['is not there', () => Object.defineProperty(window, 'localStorage', { value: undefined })],
  [
    'may not be used',
    () =>
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      }),
  ],
  [
    'is full',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    },
  ],
])('where storage %s, the seed stays in memory', async (_, damage) => {
  const { page, problems } = await newPage(stage.browser);
  await page.addInitScript(damage);
  await page.goto(await stage.fixture.openPlay());
  await playToResult(page);
  expect(await verdictOn(page)).toBe('good');
  await page.goto(await stage.fixture.openPlay({ prizeId: 'tickets-1' }));
  await playToResult(page);
  expect(await verdictOn(page)).toBe('elsewhere');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a commitment that was replaced after the client seed was known is reported', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  const seeds = seedsOf(page);
  await page.route('**/spin', (route) => route.fulfill({ status: 409, json: { status: 'error' } }));
  stage.fixture.replaceSeed(url, 'ab'.repeat(32));
  await playButton(page).click();
  await expect.poll(() => page.locator('#fair').textContent()).toContain(commitmentTo('ab'.repeat(32)));
  await page.unroute('**/spin');
  await playToResult(page);
  expect(new Set(seeds).size).toBe(1);
  expect(await verdictOn(page)).toBe('otherCommitment');
  await page.context().close();
});
