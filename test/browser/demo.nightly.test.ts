import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../infra/develop/demo/model.ts';
import { en } from '../../infra/develop/demo/page/texts/en.ts';
import { es } from '../../infra/develop/demo/page/texts/es.ts';
import { demoLink, npmStart, type Started, stop } from '../support/npm-start.ts';
import {
  accessibilityViolations,
  desktop,
  newPage,
  overflowingElements,
  overflowOf,
  phone,
  screenshot,
  useBrowser,
} from './support/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'incentives-demo-'));
let browser: Browser;
let stage: Started;
let link: string;
beforeAll(async () => {
  stage = npmStart(folder);
  [browser, link] = await Promise.all([useBrowser(), demoLink(stage)]);
});
afterAll(async () => {
  await stop(stage);
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the demo in a new page and, if `name` is given, signs in as this person. */
async function open(options: BrowserContextOptions, name?: string) {
  const opened = await newPage(browser, options);
  await opened.page.goto(link);
  if (name) await opened.page.getByRole('button', { name }).click();
  return opened;
}

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('button', { name });
const stepsOf = (page: Page, title: string) => page.locator('.steps details', { hasText: title });

/** Returns the markup of the icons on the screen that are larger than their viewBox, which crops them. */
const croppedIcons = (page: Page) =>
  page.locator('svg.icon:visible').evaluateAll((all) =>
    (all as SVGSVGElement[]).flatMap((svg) => {
      const { x, y, width, height } = svg.getBBox();
      const box = svg.viewBox.baseVal;
      const isInside =
        x >= box.x && y >= box.y && x + width <= box.x + box.width && y + height <= box.y + box.height;
      return isInside ? [] : [svg.outerHTML];
    }),
  );

/** Saves a screenshot. Expects that the screen is accessible, not wider than the window, and cuts nothing off. */
async function looksRight(page: Page, name: string) {
  await screenshot(page, `demo-${name}`);
  expect(await accessibilityViolations(page), name).toEqual([]);
  expect(await overflowOf(page), name).toBe(0);
  expect(await overflowingElements(page, 'body *'), name).toEqual([]);
  expect(await croppedIcons(page), name).toEqual([]);
}

/** Opens a game with `press`, plays it, and returns to the host app with the page's back button. */
async function play(page: Page, press: () => Promise<void>) {
  await press();
  const frame = page.frameLocator('iframe');
  await frame.locator('#go').click();
  await frame.locator('#result').waitFor();
  await frame.getByRole('button', { name: 'Back to Golondrina' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a user signs in, earns tickets and plays each game in a frame, and the host receives webhooks', async () => {
  const { page, problems } = await open(desktop);
  await stepsOf(page, 'The host registers its webhook').waitFor();
  await looksRight(page, 'sign-in-desktop');
  for (const { name, country } of Object.values(people)) {
    const buttons = page.getByRole('button', { name: `${name} ${country}`, exact: true });
    expect(await buttons.count(), name).toBe(1);
  }
  await page.getByRole('button', { name: 'Ana Morales' }).click();
  await page.getByRole('radio', { name: '$200' }).check();
  await page.getByRole('button', { name: 'Send $200 to Mom' }).click();
  await page.getByText('+20 tickets. Ready for a game?').waitFor();
  await stepsOf(page, 'balance_updated').getByText('✓ signature verified').first().waitFor();
  await looksRight(page, 'sent-desktop');
  await page.getByRole('button', { name: en.send.play }).click();
  await page.getByRole('button', { name: en.play.games.truck }).click();
  await page.frameLocator('iframe').locator('#go').waitFor();
  await looksRight(page, 'frame-desktop');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const name of Object.values(en.play.games)) {
    await play(page, () => page.getByRole('button', { name }).click());
  }
  await expect.poll(() => stepsOf(page, 'outcome').count()).toBeGreaterThanOrEqual(3);
  await play(page, () => page.getByRole('button', { name: 'Win the jackpot' }).click());
  await page.getByText('You won $100 cash').waitFor();
  await stepsOf(page, 'cash_won').getByText('added to the user').first().waitFor();
  for (const said of ['ready', 'started', 'result', 'done'])
    expect(await page.locator('.steps .message', { hasText: said }).count()).toBeGreaterThanOrEqual(4);
  await looksRight(page, 'won-desktop');
  await page.getByRole('button', { name: 'Draw the truck' }).click();
  await page
    .getByRole('status')
    .getByText(/won the truck|entries/)
    .waitFor();
  expect(stage.output()).not.toMatch(/^workers\//m);
  await tab(page, en.tabs.activity).click();
  // Several lines can match, because an earlier play may also have won $100.
  await page.locator('.lines').getByText('$100 cash').first().waitFor();
  await looksRight(page, 'activity-desktop');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a request of the host can be copied and sent again from a terminal', async () => {
  const { page, context } = await open(desktop, 'Luis Peralta');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Send $50 to Mom' }).click();
  const step = stepsOf(page, 'A transfer of $50 earns 5 tickets').first();
  const response = step.locator('pre', { hasText: 'new_ticket_balance' });
  const text = (await response.textContent())!;
  expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
  await step.getByRole('button', { name: 'Copy the curl line' }).click();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  const { demo } = JSON.parse(readFileSync(join(folder, 'stage.json'), 'utf8'));
  const env = { ...process.env, API_KEY: demo.api_key };
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { env });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', new_ticket_balance: 5 });
  expect(await page.textContent('body')).not.toContain('inc_local_');
  await page.getByRole('button', { name: 'Forge a webhook' }).click();
  await stepsOf(page, 'Webhook with an invalid signature').getByText('✗ refused with 400').waitFor();
  await page.context().close();
});

test('the page says that the demo is not responding until it responds again', async () => {
  const { page, context } = await newPage(browser, phone);
  await context.route('**/events', (route) => route.fulfill({ status: 500 }));
  await page.goto(link);
  await page.getByText(en.problems.lost).waitFor();
  await context.unroute('**/events');
  await page.getByText(en.signIn).waitFor();
  await page.getByText(en.problems.lost).waitFor({ state: 'detached' });
  await context.route('**/events', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('button', { name: 'Rosa Ixchel' }).click();
  await page.getByText(en.problems.lost).waitFor();
  await context.unroute('**/events');
  await page.getByText('Hello, Rosa').waitFor();
  await page.getByText(en.problems.lost).waitFor({ state: 'detached' });
  await page.context().close();
});

test('a game that does not load can be retried with the same URL', async () => {
  const { page, context } = await newPage(browser, phone);
  await page.clock.install();
  await page.goto(link);
  await page.getByRole('button', { name: 'Luis Peralta' }).click();
  await page.getByRole('button', { name: 'Send $50 to Mom' }).click();
  await page.getByText('Ready for a game?').waitFor();
  await context.route(/\/play\/[\w-]{43}$/, (route) => route.abort());
  await tab(page, en.tabs.play).click();
  await page.getByRole('button', { name: en.play.games.prizewheel }).click();
  await page.getByText(en.play.loading).waitFor();
  const url = await page.locator('iframe').getAttribute('src');
  await page.clock.fastForward(10_000);
  await page.getByText(en.play.failed).waitFor();
  await looksRight(page, 'not-loaded');
  await context.unrouteAll();
  await page.getByRole('button', { name: en.play.retry }).click();
  await page.frameLocator('iframe').locator('#go').waitFor();
  expect(await page.locator('iframe').getAttribute('src')).toBe(url);
  await page.getByText(en.play.loading).waitFor({ state: 'detached' });
  await page.context().close();
});

test('each action that failed can be sent again', async () => {
  const { page, context } = await open(phone);
  const failsOnce = async (button: Locator, done: Locator) => {
    await context.route('**/actions', (route) => route.abort(), { times: 1 });
    await button.click();
    await page.getByText(en.problems.other).waitFor();
    expect(await page.locator('button.main:disabled').count(), `${button}`).toBe(0);
    await button.click();
    await done.waitFor();
    expect(await page.getByText(en.problems.other).count()).toBe(0);
  };
  const button = (name: string) => page.getByRole('button', { name });
  await button(en.noAccount).click();
  await failsOnce(button(en.free.guestButton), page.getByText(en.free.guestResults));
  await button(en.back).click();
  await button('Ana Morales').click();
  await failsOnce(button('Send $50 to Mom'), page.getByText('+5 tickets'));
  await button(en.send.play).click();
  await failsOnce(button(en.play.games.prizewheel), page.frameLocator('iframe').locator('#go'));
  await page.keyboard.press('Escape');
  await tab(page, en.tabs.free).click();
  await failsOnce(button(en.free.button), page.getByText('3 spins waiting'));
  await failsOnce(button(en.free.run), page.getByText(en.free.results));
  await page.context().close();
});

describe.each([
  { lang: 'en', t: en, count: '2 spins waiting' },
  { lang: 'es', t: es, count: '2 jugadas en espera' },
])('in $lang on a phone', ({ lang, t, count }) => {
  const size = { ...phone, locale: lang };

  test('every screen is accessible', async () => {
    const { page, problems } = await open(size);
    await page.getByText(t.signIn).waitFor();
    await looksRight(page, `sign-in-${lang}`);
    await page.getByRole('button', { name: t.noAccount }).click();
    await page.getByRole('button', { name: t.free.guestButton }).click();
    await page.getByText(t.free.guestResults).waitFor();
    await looksRight(page, `guest-${lang}`);
    await page.getByRole('button', { name: t.back }).click();
    await page.getByRole('button', { name: 'Rosa Ixchel' }).click();
    await page.getByText(t.send.title).waitFor();
    await looksRight(page, `send-${lang}`);
    await tab(page, t.tabs.play).click();
    await looksRight(page, `play-${lang}`);
    await page.getByRole('button', { name: t.play.games.truck }).click();
    await page.getByText(t.problems.insufficient_tickets).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await looksRight(page, `play-${lang}-dark`);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('free spins are queued until midnight, run now on request, and the results are shown', async () => {
    const { page, problems } = await open(size, 'Luis Peralta');
    await tab(page, t.tabs.free).click();
    await page.getByRole('button', { name: t.free.fewer }).click();
    await page.getByRole('button', { name: t.free.button }).click();
    await page.getByText(count).waitFor();
    await looksRight(page, `waiting-${lang}`);
    await page.getByRole('button', { name: t.free.run }).click();
    await page.getByText(t.free.results).waitFor();
    await page.getByText(count).waitFor({ state: 'detached' });
    // Waits for the second of two results, which appear one after the other.
    await page.locator('.prizes li').nth(1).waitFor();
    await looksRight(page, `free-${lang}`);
    await page.getByRole('button', { name: t.developer }).click();
    await stepsOf(page, 'Test: run the queued free spins now').first().waitFor();
    await looksRight(page, `developer-${lang}`);
    await page.getByRole('button', { name: 'Back to the app' }).click();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
