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

/** Returns the browser that all tests of this process share. */
export const useBrowser = (): Promise<Browser> => {
  launching ??= launch();
  return launching;
};

const launch = async (): Promise<Browser> => {
  const executablePath = await (await fetch(inject('browser'))).text();
  return playwright.launch({ executablePath, args: quiet, timeout: waitMs });
};

/** Opens a page in a new browser context. `problems` collects its errors, `requested` the URLs that it requests. */
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

/** Saves a screenshot in `.screenshots/` if the environment variable SCREENSHOTS is set. Saving takes long. */
export const screenshot = async (page: Page, name: string, fullPage = false) => {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync('.screenshots', { recursive: true });
  await page.screenshot({ path: `.screenshots/${name}.png`, fullPage });
};

/** Opens a play URL and plays. Returns the page, its result, its verdict on the draw, its errors and requested URLs. */
export const openAndPlay = async (browser: Browser, url: string, options?: BrowserContextOptions) => {
  const { page, problems, requested } = await newPage(browser, options);
  await page.goto(url);
  const status = await playToResult(page);
  await page.locator('#verdict[data-verdict]').waitFor({ state: 'attached' });
  const verdict = await page.locator('#verdict').getAttribute('data-verdict');
  return { page, status, verdict, problems, requested };
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const accessibilityViolations = async (page: Page) => {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // Requests only violations, because axe takes longer to describe passed checks than to run them.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) }));
  });
};

/**
 * Returns by how many pixels the content is wider than the viewport. Does not use `innerWidth`, because on phones it
 * grows with the content.
 */
export const overflowOf = async (page: Page) =>
  (await page.evaluate(() => document.documentElement.scrollWidth)) - page.viewportSize()!.width;

/** Returns the markup of the visible elements whose content is wider than they are, except for elements that scroll. */
export const overflowingElements = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .filter((element) => !element.closest('.visually-hidden, .board, svg'))
      .filter((element) => !/auto|scroll/.test(getComputedStyle(element).overflowX))
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );

/** Advances a page's fake clock until the result is shown. */
export const runToResult = (page: Page) =>
  expect
    .poll(async () => {
      await page.clock.runFor(500);
      return page.locator('#result').count();
    })
    .toBe(1);

/** The play button, which becomes the button "Check again" after a refusal. */
export const playButton = (page: Page | FrameLocator) => page.locator('#go');

/** Returns the id of the outcome in the page's fairness section. */
export const outcomeShown = (page: Page) => page.locator('#fair code').first().textContent();

export const playToResult = async (page: Page) => {
  await playButton(page).click();
  await page.locator('#result').waitFor();
  return page.getByRole('status').textContent();
};

/** Translates a page like a browser: replaces each text that may be translated with a `font` element. */
export const translate = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found.filter(({ parentElement }) => parentElement!.translate)) {
      const font = document.createElement('font');
      text.replaceWith(font);
      font.append(text.data);
    }
  });
