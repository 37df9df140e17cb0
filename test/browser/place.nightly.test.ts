import { beforeAll, describe, expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import type { BookProof } from '../../functions/play/page/view.ts';
import { bookDigest } from '../../shared/books/book.ts';
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

type Data = { place: BookProof; prizes: object[]; fairness: Record<string, unknown>; cost: number };
/** Returns a page with JSON data changed by `change`, as a dishonest server could send it. */
function changed(change: (data: Data) => void, { html } = pages.en): string {
  return html.replace(/(<script type="application\/json" id="data">)(.*?)(<\/script>)/s, (_, ...parts) => {
    const data = JSON.parse(parts[1]) as Data;
    change(data);
    return parts[0] + JSON.stringify(data).replaceAll('<', '\\u003c') + parts[2];
  });
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

test('without JavaScript, the page shows the same digest of the book', async () => {
  const { page, context } = await open(pages.en.html, { javaScriptEnabled: false });
  expect((await page.locator('#fair dd').allTextContents()).at(-1)).toBe(pages.en.digest);
  await context.close();
});

test('the digest is computed from the book that the browser received, not from the server’s claim', async () => {
  let text = '';
  const html = changed(({ place }) => {
    text = place.text.replace('"previous":null', `"previous":"${'0'.repeat(64)}"`);
    place.text = text;
  });
  expect(html).toContain(`<code>${pages.en.digest}</code>`);
  const { page, context } = await open(html);
  await page.locator('#verdict[data-verdict]').waitFor();
  const shown = (await page.locator('#fair dd').allTextContents()).at(-1);
  expect(shown).toBe(bookDigest(text));
  expect(shown).not.toBe(pages.en.digest);
  await context.close();
});

describe('an invalid proof of the outcome’s place in the book is reported:', () => {
  test.each<[string, (place: BookProof) => object]>([
    ['a line that cannot be read', ({ line }) => ({ line: line.slice(1) })],
    ['a hash that cannot be read', () => ({ path: ['%'] })],
    ['no path', () => ({ path: null })],
    ['the text of no book', ({ text }) => ({ text: text.replaceAll('\n', ' ') })],
    ['no text', () => ({ text: null })],
    ['another number', ({ index }) => ({ index: index + 1 })],
  ])('%s', async (_, change) => {
    const html = changed((data) => Object.assign(data.place, change(data.place)));
    const { page, problems, context } = await open(html);
    await page.locator('#verdict.bad[data-verdict=missing]').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each(langs)('another cost than the one that the page in %s shows', async (lang) => {
    const { page, context } = await open(
      changed((data) => (data.cost += 1), pages[lang]),
      {},
      pages[lang],
    );
    await page.locator('#verdict.bad[data-verdict=missing]').waitFor();
    expect(await page.locator('#verdict').textContent()).toBe({ en, es }[lang].client.fair.missing);
    await context.close();
  });

  test('the play of another user', async () => {
    const { page, context } = await open(pages.en.html, {}, pages.es);
    await page.locator('#verdict.bad[data-verdict=missing]').waitFor();
    await context.close();
  });

  test.each<[string, (data: Data) => void]>([
    ['nothing to check', (data) => Object.assign(data, { fairness: undefined })],
    ['null to check', (data) => Object.assign(data, { fairness: null })],
    ['a text to check', (data) => Object.assign(data, { fairness: 'all was fair' })],
    ...[
      { client_seed: null },
      { client_seed: { html: '<p id="owned">Checked</p>' } },
      { commitment: null },
      { server_seed: null },
      { prize_table_version: [] },
      { debug: 'constructor' },
      { budgets: { cash: { granted: { valueOf: 1, toString: 1 } } } },
      { budgets: { cash: null } },
    ].map((said): [string, (data: Data) => void] => [
      JSON.stringify(said),
      ({ fairness }) => Object.assign(fairness, said),
    ]),
    ['prizes that are none', (data) => Object.assign(data, { prizes: null })],
    ['a prize that is none', ({ prizes }) => prizes.push(null as never)],
  ])('as is a page with %s', async (_, change) => {
    const { page, problems, context } = await open(changed(change));
    await page.locator('#verdict.bad[data-verdict]').waitFor();
    expect(await page.locator('#owned').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each<[string, string, (data: Data) => void]>([
    ['a secret that cannot be read', 'draw', ({ fairness }) => Object.assign(fairness, { server_seed: 7 })],
    ['nothing to draw from', 'odds', (data) => Object.assign(data, { prizes: [] })],
    ['no prizes', 'odds', (data) => Object.assign(data, { prizes: undefined })],
  ])('as is a draw with %s', async (_, verdict, change) => {
    const { page, context } = await open(changed(change));
    await page.locator(`#verdict.bad[data-verdict=${verdict}]`).waitFor();
    await context.close();
  });
});
