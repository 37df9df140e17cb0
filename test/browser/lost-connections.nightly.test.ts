import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import {
  newPage,
  outcomeShown,
  playButton,
  playToResult,
  runToResult,
  screenshot,
} from './support/browser.ts';
import type { PlayOptions } from './support/fixture-server.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

test('a lost response is requested again and shows the same outcome', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  let lost = 0;
  await page.route('**/spin', async (route) => {
    if (lost > 0) return route.continue();
    lost++;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await playToResult(page);
  const { spins, outcome } = stage.fixture.playOf(url);
  expect(spins).toBe(2);
  expect(await outcomeShown(page)).toBe(outcome?.id);
  await page.context().close();
});

test('the page says that it is offline during a play, and shows the outcome when it is back online', async () => {
  const { page, context } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay({ game: 'truck' });
  await page.goto(url);
  await context.setOffline(true);
  await playButton(page).click();
  await page.getByText(en.client.offline).waitFor();
  await screenshot(page, 'offline');
  expect(await page.locator('#result').count()).toBe(0);
  await context.setOffline(false);
  await page.locator('#result').waitFor();
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  expect(await page.locator('#problem').textContent()).toBe('');
  await context.close();
});

test.each<[string, PlayOptions]>([
  ['link that expires', {}],
  ['refusal that is checked again', { restriction: { code: 'insufficient_tickets' } }],
])('a %s while offline does not mention a play or a result', async (_, options) => {
  const { page, context } = await newPage(stage.browser);
  await page.clock.install();
  const url = await stage.fixture.openPlay(options);
  await page.goto(url);
  await context.setOffline(true);
  if (options.restriction) await playButton(page).click();
  else await page.clock.fastForward('30:00');
  await page.getByText(en.client.noAnswer).waitFor();
  await screenshot(page, `offline-${options.restriction ? 'refused' : 'timed-out'}`);
  // The page cannot reload offline, so the play button remains. Clicking it must not start a play.
  await playButton(page).dispatchEvent('click');
  stage.fixture.change(url, { expiresInMs: -1 });
  await context.setOffline(false);
  await page.getByRole('heading', { name: en.expired.title }).waitFor();
  expect(stage.fixture.playOf(url).spins).toBe(0);
  await context.close();
});

test('a server error while a refusal is checked again does not mention a play', async () => {
  const { page, context } = await newPage(stage.browser);
  const restriction = { code: 'insufficient_tickets' } as const;
  const url = await stage.fixture.openPlay({ lang: 'es', restriction });
  await page.goto(url);
  await page.route(url, (route) => route.fulfill({ status: 500 }));
  await playButton(page).click();
  await page.getByText(es.client.noAnswer).waitFor();
  await page.unroute(url);
  stage.fixture.change(url, { restriction: undefined });
  await page.getByRole('button', { name: es.action.prizewheel }).waitFor();
  await context.close();
});

test('the page retries after a 429, a 503, a 500 and a 502, and no sooner than the service asks', async () => {
  const { page } = await newPage(stage.browser);
  await page.clock.install();
  const url = await stage.fixture.openPlay({ game: 'flight' });
  await page.goto(url);
  const refusals = [429, 503, 500, 502];
  const times: number[] = [];
  await page.route('**/spin', async (route) => {
    times.push(await page.evaluate(() => Date.now()));
    const status = refusals.shift();
    if (!status) return route.continue();
    await route.fulfill({
      status,
      headers: { 'retry-after': '3' },
      json: { status: 'error', code: 'unavailable' },
    });
  });
  await playButton(page).click();
  await runToResult(page);
  expect(refusals).toEqual([]);
  for (const wait of [0, 1]) expect(times[wait + 1]! - times[wait]!).toBeGreaterThanOrEqual(3_000);
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  await page.context().close();
});

test('the sign-in page of a public network does not count as a response', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  let shown = false;
  await page.route('**/spin', async (route) => {
    if (shown) return route.continue();
    shown = true;
    await route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Free Wi-Fi</h1>' });
  });
  await playToResult(page);
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  await page.context().close();
});

test('a reload during a play shows its outcome', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  await page.route('**/spin', async (route) => {
    await route.fetch();
  });
  await playButton(page).click();
  await expect.poll(() => stage.fixture.playOf(url).outcome?.id).toBeDefined();
  await page.unroute('**/spin');
  await page.reload();
  const { outcome, balance } = stage.fixture.playOf(url);
  expect(await outcomeShown(page)).toBe(outcome?.id);
  expect(await page.locator('#balance').textContent()).toBe(String(balance));
  expect(await playButton(page).count()).toBe(0);
  await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
  await screenshot(page, 'reloaded', true);
  await page.context().close();
});

test('a double click and an impatient Enter play once', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/spin', async (route) => {
    await released;
    await route.continue();
  });
  await playButton(page).dblclick();
  await page.keyboard.press('Enter');
  release();
  await page.locator('#result').waitFor();
  expect(stage.fixture.playOf(url).spins).toBe(1);
  await page.context().close();
});

test('two tabs show the same outcome', async () => {
  const { page, context } = await newPage(stage.browser);
  const other = await context.newPage();
  const url = await stage.fixture.openPlay();
  await Promise.all([page.goto(url), other.goto(url)]);
  await Promise.all([playButton(page).click(), playButton(other).click()]);
  await Promise.all([page.locator('#result').waitFor(), other.locator('#result').waitFor()]);
  const { outcome, balance } = stage.fixture.playOf(url);
  for (const tab of [page, other]) {
    expect(await outcomeShown(tab)).toBe(outcome?.id);
    expect(await tab.locator('#balance').textContent()).toBe(String(balance));
    await tab.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
  }
  await context.close();
});

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['when the player asks again', (page) => page.getByRole('button', { name: en.client.askAgain }).click()],
  ['when the connection returns', (page) => page.evaluate(() => dispatchEvent(new Event('online')))],
])('after a long time without a response, the page stops, and shows the outcome %s', async (_, ask) => {
  const { page } = await newPage(stage.browser);
  await page.clock.install();
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  await page.route('**/spin', (route) => route.abort('connectionfailed'));
  await playButton(page).click();
  const askAgain = page.getByRole('button', { name: en.client.askAgain });
  await expect
    .poll(async () => {
      await page.clock.runFor(3_000);
      return askAgain.count();
    })
    .toBe(1);
  expect(await page.locator('#problem').textContent()).toBe(en.client.stalled);
  await screenshot(page, 'stalled');
  await page.unroute('**/spin');
  await ask(page);
  await page.locator('#result').waitFor();
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  await page.context().close();
});
