import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContextOptions,
  type FrameLocator,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import { expect, inject } from 'vitest';
import { waitMs } from '../../support/patience.ts';

const quiet = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

let launching: Promise<Browser> | undefined;

/** The browser of this process, which ends with it. Each test opens pages in a context of its own. */
export const useBrowser = (): Promise<Browser> => {
  launching ??= launch();
  return launching;
};

const launch = async (): Promise<Browser> => {
  const executablePath = await (await fetch(inject('browser'))).text();
  return playwright.launch({ executablePath, args: quiet, timeout: waitMs });
};

/** A page in a context of its own, with all that went wrong in it and every address it asked for. */
export const newPage = async (browser: Browser, options: BrowserContextOptions = phone) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  const problems: string[] = [];
  const requested: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(message.text());
  });
  page.on('request', (request) => requested.push(request.url()));
  return { page, context, problems, requested };
};

/** Leaves a picture of a page in `.screenshots/` if SCREENSHOTS is set: it takes longer than most of what is tested. */
export const screenshot = async (page: Page, name: string, fullPage = false) => {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync('.screenshots', { recursive: true });
  await page.screenshot({ path: `.screenshots/${name}.png`, fullPage });
};

/** Opens a play URL of any stage, plays it, and tells what was shown and asked for on the way. */
export const openAndPlay = async (browser: Browser, url: string, options?: BrowserContextOptions) => {
  const { page, problems, requested } = await newPage(browser, options);
  await page.goto(url);
  const status = await playToResult(page);
  await page.locator('#verdict[data-verdict]').waitFor({ state: 'attached' });
  const verdict = await page.locator('#verdict').getAttribute('data-verdict');
  return { page, status, verdict, problems, requested };
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page. */
export const accessibilityViolations = async (page: Page) => {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // Nothing is told of what is right, which takes longer than to find it.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) }));
  });
};

/** By how many pixels a page is wider than its screen, which `innerWidth` hides: on a phone it grows with what does not fit. */
export const overflowOf = async (page: Page) =>
  (await page.evaluate(() => document.documentElement.scrollWidth)) - page.viewportSize()!.width;

/** Lets the clock that a test has installed in a page run until the result is there. */
export const runToResult = (page: Page) =>
  expect
    .poll(async () => {
      await page.clock.runFor(500);
      return page.locator('#result').count();
    })
    .toBe(1);

/** The button by which a game is played, or what refused it is asked again. */
export const playButton = (page: Page | FrameLocator) => page.locator('#go');

/** The id of the outcome that a page shows, among what can be checked of it. */
export const outcomeShown = (page: Page) => page.locator('#fair code').first().textContent();

/** Presses the button of the page and waits for its result. */
export const playToResult = async (page: Page) => {
  await playButton(page).click();
  await page.locator('#result').waitFor();
  return page.getByRole('status').textContent();
};
