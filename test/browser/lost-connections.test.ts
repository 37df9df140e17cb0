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

test('an answer lost on the way is asked for again and shows the same outcome', async () => {
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

test('going offline in the middle tells so, and the outcome shows once back', async () => {
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
  ['link that times out', {}],
  ['refusal that is looked at again', { restriction: { code: 'insufficient_tickets' } }],
])('a %s while offline is said nothing of a play or its result', async (_, options) => {
  const { page, context } = await newPage(stage.browser);
  await page.clock.install();
  const url = await stage.fixture.openPlay(options);
  await page.goto(url);
  await context.setOffline(true);
  if (options.restriction) await playButton(page).click();
  else await page.clock.fastForward('30:00');
  await page.getByText(en.client.noAnswer).waitFor();
  await screenshot(page, `offline-${options.restriction ? 'refused' : 'timed-out'}`);
  // An impatient press plays nothing.
  await playButton(page).dispatchEvent('click');
  stage.fixture.change(url, { expiresInMs: -1 });
  await context.setOffline(false);
  await page.getByRole('heading', { name: en.expired.title }).waitFor();
  expect(stage.fixture.playOf(url).spins).toBe(0);
  await context.close();
});

test('a page that fails while a refusal is looked at again is said nothing of a play', async () => {
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

test('a 429, a 503, a 500 and a 502 are waited out', async () => {
  const { page } = await newPage(stage.browser);
  await page.clock.install();
  const url = await stage.fixture.openPlay({ game: 'flight' });
  await page.goto(url);
  const refusals = [429, 503, 500, 502];
  await page.route('**/spin', async (route) => {
    const status = refusals.shift();
    if (!status) return route.continue();
    await route.fulfill({
      status,
      headers: { 'retry-after': '1' },
      json: { status: 'error', code: 'unavailable' },
    });
  });
  await playButton(page).click();
  await runToResult(page);
  expect(refusals).toEqual([]);
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  await page.context().close();
});

test('the sign-in page of a public network is no answer', async () => {
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

test('a reload in the middle shows the outcome of the play', async () => {
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

test('when no answer comes for long, the page offers to ask again and then shows the outcome', async () => {
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
  await askAgain.click();
  await page.locator('#result').waitFor();
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  await page.context().close();
});
