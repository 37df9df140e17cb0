import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import { games, langs } from '../../shared/vocabulary.ts';
import { accountOf, newUrl } from '../games/support/plays.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { serve } from '../support/serve.ts';
import {
  accessibilityViolations,
  newPage,
  overflowOf,
  phone,
  screenshot,
  useBrowser,
} from './support/browser.ts';

const texts = { en, es };

/** A host's web server on this machine. Its page frames the URL in the query and collects messages. */
const host = await serve((request, response) => {
  const frame = new URL(request.url ?? '/', 'http://localhost').searchParams.get('frame');
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(
    `<!doctype html><script>types = []; onmessage = ({ data }) => types.push(data.type)</script>
<iframe src="${frame}" width="360" height="700"></iframe>`,
  );
});
let browser: Browser;
const origin = `http://localhost:${host.port}`;
beforeAll(async () => {
  browser = await useBrowser();
});
afterAll(() => host.close());

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});

async function framed(url: string) {
  const opened = await newPage(browser);
  const hints: string[] = [];
  opened.page.on('console', (message) => void hints.push(message.text()));
  await opened.page.goto(`${origin}/?${new URLSearchParams({ frame: url })}`);
  return { ...opened, hints, frame: opened.page.frameLocator('iframe') };
}
const typesTo = async (page: Page) =>
  (await page.evaluate(() => (window as unknown as { types: string[] }).types)).filter(
    (type) => type !== 'resize',
  );

describe('a host that frames a play', () => {
  test('gets messages after it has set its origin, without an operator', async () => {
    await api.put('/page', { frame_origins: [origin] });
    const { page, frame, hints, context } = await framed(await newUrl(api, await api.user(9)));
    await frame.getByRole('button', { name: en.action.prizewheel }).click();
    await expect.poll(() => typesTo(page)).toEqual(['ready', 'started', 'result']);
    expect(hints).toEqual([]);
    await context.close();
  });

  test('gets none before, and the console says why', async () => {
    const { page, frame, hints, context } = await framed(await newUrl(api, await api.user(9)));
    await frame.getByRole('button', { name: en.action.prizewheel }).click();
    await frame.locator('#result').waitFor();
    expect(hints).toEqual([expect.stringMatching(/frame_origins.*PUT \/page/)]);
    expect(await typesTo(page)).toEqual([]);
    await context.close();
  });

  test('gets messages of a preview, and its way back leads to this machine', async () => {
    const { body } = await api.put('/page', { frame_origins: [origin], return_url: `${origin}/wallet` });
    const { page, frame, context } = await framed(body.preview_urls[0].url);
    await frame.getByRole('link', { name: en.back.plain }).click();
    await page.waitForURL(`${origin}/wallet`);
    await context.close();
  });
});

test('an unframed page says nothing about messages', async () => {
  const { page, context } = await newPage(browser);
  const hints: string[] = [];
  page.on('console', (message) => void hints.push(message.text()));
  await page.goto(await newUrl(api, await api.user(9)));
  expect(hints).toEqual([]);
  await context.close();
});

const brand = {
  return_url: 'https://example.com/wallet',
  rules_url_en: 'https://example.com/rules',
  rules_url_es: 'https://example.com/reglas',
  brand_name: 'Envíos Sol',
  brand_accent: '#0a7d4f',
  brand_background: '#ffffff',
};

describe('a preview', () => {
  test.each(games.flatMap((game) => langs.map((lang) => ({ game, lang }))))(
    'of $game in $lang shows the brand, fits a phone, is accessible, and plays nothing',
    async ({ game, lang }) => {
      const { body } = await api.put('/page', brand);
      const user = await api.user(9);
      const preview = body.preview_urls.find((one: typeof body) => one.game === game && one.lang === lang);
      const { page, problems, requested, context } = await newPage(browser, phone);
      await page.goto(preview.url);
      await screenshot(page, `preview-${game}-${lang}`, true);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page
        .getByRole('link', { name: texts[lang].back.named.replace('{name}', 'Envíos Sol') })
        .waitFor();
      await page.getByRole('button', { name: texts[lang].action[game] }).click();
      await expect.poll(() => page.locator('#problem').textContent()).toBe(texts[lang].client.previewPressed);
      expect(await page.getByText(texts[lang].notice.preview).count()).toBe(1);
      expect(requested).toEqual([preview.url]);
      expect(problems).toEqual([]);
      expect(await accountOf(api, user)).toMatchObject({ balance: 9, outcomes: [] });
      await context.close();
    },
  );

  test('runs no script of a logo', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>`;
    const brand_logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    const { body } = await api.put('/page', { brand_name: 'Sol', brand_logo });
    const { page, problems, context } = await newPage(browser, phone);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(body.preview_urls[0].url);
    await page.getByRole('img', { name: 'Sol' }).waitFor();
    expect([dialogs, problems]).toEqual([[], []]);
    await context.close();
  });
});
