import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import { failurePage, failureTexts } from '../../shared/api/failure-page.ts';
import {
  accessibilityViolations,
  newPage,
  outcomeShown,
  playButton,
  playToResult,
  screenshot,
} from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

const expectAccessible = async (page: Page) => expect(await accessibilityViolations(page)).toEqual([]);

test('too few tickets: the page shows the cost and the balance, and checks again without a reload', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay({
    game: 'truck',
    lang: 'es',
    balance: 2,
    restriction: { code: 'insufficient_tickets' },
  });
  await page.goto(url);
  const status = await page.getByRole('status').textContent();
  expect(status).toContain(es.refused.insufficient_tickets.title);
  expect(status).toContain('5 boletos');
  expect(status).toContain('2 boletos');
  await expectAccessible(page);
  await screenshot(page, 'refused-tickets', true);

  stage.fixture.change(url, { restriction: undefined });
  await page.getByRole('button', { name: es.refused.insufficient_tickets.button }).click();
  await page.getByRole('button', { name: es.action.truck }).waitFor();
  await playToResult(page);
  expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
  await page.context().close();
});

test.each(['organization_suspended', 'user_frozen', 'game_paused'] as const)(
  'put on hold after the page was opened (%s): the page says so, and plays when the hold has ended',
  async (code) => {
    const { page } = await newPage(stage.browser);
    const url = await stage.fixture.openPlay({ lang: 'es' });
    await page.goto(url);
    stage.fixture.change(url, { restriction: { code } });
    await page.getByRole('button', { name: es.action.prizewheel }).click();
    await page.getByRole('heading', { name: es.refused[code].title }).waitFor();
    expect(await page.getByRole('status').textContent()).toContain(es.refused[code].text);
    await expectAccessible(page);
    stage.fixture.change(url, { restriction: undefined });
    await page.getByRole('button', { name: es.refused[code].button }).click();
    await page.getByRole('button', { name: es.action.prizewheel }).waitFor();
    await playToResult(page);
    expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
    await page.context().close();
  },
);

test('the daily limit shows its end in the browser’s time zone', async () => {
  const { page } = await newPage(stage.browser, { timezoneId: 'America/Los_Angeles' });
  const url = await stage.fixture.openPlay({
    restriction: {
      code: 'daily_spin_limit_reached',
      limit: 5,
      until: '2026-11-21T05:00:00.000Z',
    },
  });
  await page.goto(url);
  const status = await page.getByRole('status').textContent();
  expect(status).toContain('You’ve used your 5 plays for today.');
  expect(status).toContain('November 20 at 9:00 PM PST');
  await expectAccessible(page);
  await screenshot(page, 'refused-limit', true);
  await page.context().close();
});

test('a refusal of the spin shows the refusal page', async () => {
  const { page, problems } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  stage.fixture.change(url, { restriction: { code: 'daily_spin_limit_reached', limit: 5 } });
  await playButton(page).click();
  await page.getByRole('heading', { name: en.refused.daily_spin_limit_reached.title }).waitFor();
  expect(stage.fixture.playOf(url).outcome).toBeUndefined();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('an expired link gets a friendly message, even if it expires while it is open', async () => {
  const { page } = await newPage(stage.browser);
  await page.goto(await stage.fixture.openPlay({ expiresInMs: -1 }));
  await page.getByRole('heading', { name: en.expired.title }).waitFor();
  expect(await playButton(page).count()).toBe(0);
  await expectAccessible(page);
  await screenshot(page, 'expired');

  await page.goto(await stage.fixture.openPlay({ lang: 'es', expiresInMs: 1200 }));
  await page.getByRole('heading', { name: es.expired.title }).waitFor();
  expect(await page.title()).toBe(es.expired.title);
  await page.context().close();
});

test('tickets credited while the page is open are in the balance after the play', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay({ balance: 15 });
  await page.goto(url);
  stage.fixture.change(url, { balance: 115 });
  await playToResult(page);
  const { balance } = stage.fixture.playOf(url);
  expect(balance).toBeGreaterThan(100);
  expect(await page.locator('#balance').textContent()).toBe(String(balance));
  await page.locator('.fine summary').click();
  await page.getByText(`You now have ${balance} tickets.`).waitFor();
  await page.context().close();
});

test('an unknown link gets a friendly page with status 404', async () => {
  const { page } = await newPage(stage.browser);
  const response = await page.goto(`${stage.fixture.baseUrl}/play/nobody-knows-this`);
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: en.unknown.title }).waitFor();
  await expectAccessible(page);
  await screenshot(page, 'unknown');
  await page.context().close();
});

test.each([
  ['by its function', failurePage('failed', 'es')],
  ['by the gateway, which knows no language', failurePage('failed')],
])('a failed page says so, and loads at the next attempt: %s', async (failure, { html, headers }) => {
  const { page, problems } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay({ lang: 'es' });
  await page.route(url, (route) => route.fulfill({ status: 503, headers, body: html }), { times: 1 });
  await page.goto(url);
  await page.getByRole('heading', { name: failureTexts.es.failed.title }).waitFor();
  await expectAccessible(page);
  await screenshot(page, `failed ${failure}`);
  const sizes = () =>
    page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  const { width } = page.viewportSize()!;
  expect((await sizes())[0]).toBe(width);
  expect((await sizes())[1]).toBeLessThanOrEqual(740);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  expect((await sizes())[0]).toBe(width);
  await page.getByRole('link', { name: failureTexts.es.failed.button! }).click();
  await page.getByRole('button', { name: es.action.prizewheel }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('when only tickets can be won, the wheel and the odds show only tickets', async () => {
  const { page } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay({ ticketsOnly: true });
  await page.goto(url);
  await page.getByText(en.notice.ticketsOnly).waitFor();
  const onWheel = await page
    .locator('[data-prize]')
    .evaluateAll((wedges) => wedges.map((wedge) => wedge.getAttribute('data-prize')));
  expect(onWheel.length).toBeGreaterThanOrEqual(8);
  expect(onWheel.every((id) => id?.startsWith('tickets-'))).toBe(true);
  await page.locator('#odds summary').click();
  expect(await page.locator('#odds .gone').count()).toBe(12);
  expect(await page.locator('#odds td b').allTextContents()).toEqual(['80%', '17.5%', '2.5%']);
  await expectAccessible(page);
  await screenshot(page, 'tickets-only', true);
  expect(await playToResult(page)).toMatch(/You (got|won) (1|3|10) tickets?/);
  await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
  await page.context().close();
});

test('cash above the day’s remaining limit is neither in the odds nor on the wheel', async () => {
  const { page } = await newPage(stage.browser);
  await page.goto(await stage.fixture.openPlay({ cashLeftUsd: 15 }));
  expect(await page.locator('[data-prize=cash-100]').count()).toBe(0);
  expect(await page.locator('[data-prize=cash-10]').count()).toBe(1);
  expect(await page.locator('#odds .gone').textContent()).toContain('$100 cash');
  await playToResult(page);
  await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
  await page.context().close();
});
