import { beforeAll, expect, test } from 'vitest';
import { closeBook } from '../../shared/books/close.ts';
import { readBook } from '../../shared/books/stored-books.ts';
import { dayOf } from '../../shared/time.ts';
import { newUrl, spinUrl } from '../games/support/plays.ts';
import { newOrganization } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { newPage, overflowOf, phone, screenshot, useBrowser } from './support/browser.ts';

const langs = ['en', 'es'] as const;
type Lang = (typeof langs)[number];
/** Play pages by language. Each page was requested two days after its play, when the day's book was already closed. */
const pages = {} as Record<Lang, { html: string; digest: string; token: string }>;

beforeAll(async () => {
  const api = await newOrganization();
  const { organizationId } = api;
  const user = await api.user(9);
  const urls = await Promise.all(langs.map((lang) => newUrl(api, user, { lang })));
  const played = await Promise.all(urls.map(async (url) => (await spinUrl(url)).body.outcome.timestamp));
  const days = [...new Set(played.map((timestamp) => dayOf(Date.parse(timestamp))))].sort();
  for (const day of days) await closeBook(organizationId, day, undefined, () => true);
  for (const [i, lang] of langs.entries()) {
    const path = { token: urls[i]!.split('/').at(-1)! };
    const now = Date.parse(played[i]) + 48 * 3_600_000;
    const { body } = await invoke('play/open', { organizationId, path, now });
    const { book } = (await readBook(organizationId, dayOf(Date.parse(played[i]))))!;
    pages[lang] = { html: String(body), digest: book.digest, ...path };
  }
});

/** Opens a play URL to which the browser gets `html` as the response. Opens the page's fairness section. */
async function open(html: string, options = {}, { token } = pages.en) {
  const opened = await newPage(await useBrowser(), { ...phone, ...options });
  await opened.page.route('http://localhost/**', (route) =>
    route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
  );
  await opened.page.goto(`http://localhost/play/${token}`);
  await opened.page.locator('.fair summary').click();
  return opened;
}

test.each(langs)('the page in %s finds its outcome in the day’s book, and fits a phone', async (lang) => {
  const { html, digest } = pages[lang];
  const { page, problems, context } = await open(html, {}, pages[lang]);
  await page.locator('#verdict[data-verdict=good]').waitFor();
  expect((await page.locator('#fair dd').allTextContents()).at(-1)).toBe(digest);
  expect(await overflowOf(page)).toBe(0);
  await screenshot(page, `book-${lang}`, true);
  expect(problems).toEqual([]);
  await context.close();
});
