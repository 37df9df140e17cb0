import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { build } from 'esbuild';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageMessageSchema } from '../../functions/docs/page/page-message.ts';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import { newPage, phone, playToResult, screenshot } from './support/browser.ts';
import type { PlayOptions } from './support/fixture-server.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

type Message = { source: string; version: number; type: string; data: Record<string, unknown> };
type Messages = { origin: string; data: Message }[];

const guide = readFileSync(new URL('../../functions/docs/page/guides/embed.md', import.meta.url), 'utf8');
/** Bundles the example program in the embedding guide, as a host would bundle it. */
const frameProgram = async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: /^```js frame.js\n([\s\S]*?)^```$/m.exec(guide)![1]!,
      resolveDir: import.meta.dirname,
    },
    alias: {
      'incentives-client/page': fileURLToPath(new URL('../../shared/client/page.ts', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'host',
  });
  return outputFiles[0]!.text;
};
const ajv = new Ajv2020();
formats.default(ajv);
const isMessage = ajv.compile(pageMessageSchema());

/** Returns the messages that the host's page received. Expects that each of them matches the documented schema. */
const messagesTo = async (page: Page) => {
  const messages = await page.evaluate(() => (window as unknown as { messages: Messages }).messages);
  for (const { data } of messages) expect(isMessage(data), JSON.stringify(data)).toBe(true);
  return messages;
};
const typesIn = (messages: Messages) =>
  messages.map(({ data }) => data.type).filter((type) => type !== 'resize');
const waitForMessage = (page: Page, last: string) =>
  expect.poll(async () => (await messagesTo(page)).map(({ data }) => data.type)).toContain(last);

/** Opens a host's page that shows a play in a frame. By default, the settings allow the host's origin. */
async function framed(options: PlayOptions = {}, sandbox?: string, size: BrowserContextOptions = phone) {
  const opened = await newPage(stage.browser, size);
  const page = { frame_origins: stage.fixture.hostOrigin, ...options.page };
  const url = await stage.fixture.openPlay({ ...options, page });
  await opened.page.goto(stage.fixture.hostPage(url, sandbox === undefined ? {} : { sandbox }));
  const frame = opened.page.frames()[1]!;
  await frame.waitForLoadState();
  return { ...opened, url, frame };
}
const backUrl = 'https://example.com/back';
const backIn = (frame: Frame) => frame.locator('#back');

describe('the page that frames a play', () => {
  test('receives messages from the beginning to the end of a play, without secrets', async () => {
    const { page, frame, url, problems } = await framed({ page: { return_url: 'https://example.com/back' } });
    await frame.getByRole('button', { name: en.action.prizewheel }).click();
    await frame.locator('#result').waitFor();
    await waitForMessage(page, 'result');
    const messages = await messagesTo(page);
    expect(typesIn(messages)).toEqual(['ready', 'started', 'result']);
    expect(new Set(messages.map(({ origin }) => origin))).toEqual(new Set([new URL(url).origin]));
    for (const { data } of messages) expect(data).toMatchObject({ source: 'incentives', version: 1 });
    const dataOf = (type: string) => messages.find(({ data }) => data.type === type)!.data.data;
    expect(dataOf('ready')).toEqual({ game: 'prizewheel', lang: 'en', playable: true, restrictions: [] });
    expect(dataOf('result')).toEqual({ outcome: stage.fixture.playOf(url).outcome });
    expect(JSON.stringify(messages)).not.toContain(url.split('/').pop());
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('receives each message once if its origin is one of several', async () => {
    const frame_origins = `https://other.example ${stage.fixture.hostOrigin} http://localhost:1`;
    const { page, problems } = await framed({ expiresInMs: -1, page: { frame_origins } });
    await waitForMessage(page, 'refused');
    expect(typesIn(await messagesTo(page))).toEqual(['ready', 'refused']);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('receives the height, so that the frame needs no scroll bar', async () => {
    const { page, frame } = await framed();
    await page.evaluate(() => {
      addEventListener('message', ({ data }) => {
        if (data.type === 'resize') document.querySelector('iframe')!.style.height = `${data.data.height}px`;
      });
    });
    await frame.locator('#odds summary').click();
    const hidden = () =>
      frame.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
    await expect.poll(hidden).toBe(0);
    const opened = await frame.evaluate(() => innerHeight);
    await frame.locator('#odds summary').click();
    await expect.poll(() => frame.evaluate(() => innerHeight)).toBeLessThan(opened - 200);
    await page.context().close();
  });

  test('may set any frame height, because the play page does not depend on it', async () => {
    const { page, frame } = await framed({}, undefined, { viewport: { width: 1280, height: 1200 } });
    const setHeight = (height: number) =>
      page.evaluate((height) => {
        const { style } = document.querySelector('iframe')!;
        Object.assign(style, { width: '800px', height: `${height}px` });
      }, height);
    const widths: (number | undefined)[] = [];
    for (const height of [550, 800, 1100]) {
      await setHeight(height);
      await expect.poll(() => frame.evaluate(() => innerHeight)).toBe(height);
      widths.push((await frame.locator('#stage').boundingBox())?.width);
    }
    expect(widths).toEqual([480, 480, 480]);
    await page.context().close();
  });

  test('receives nothing and cannot frame the play if only another origin is allowed', async () => {
    const { page } = await newPage(stage.browser);
    const url = await stage.fixture.openPlay({ page: { frame_origins: 'https://app.example.com' } });
    await page.goto(stage.fixture.hostPage(url));
    await expect.poll(() => page.frames()[1]!.url()).toBe('chrome-error://chromewebdata/');
    expect(await messagesTo(page)).toEqual([]);
    await page.context().close();
  });

  test('receives nothing but may frame the play if no origin is set', async () => {
    const { page, frame } = await framed({ page: { frame_origins: '' } });
    await frame.locator('#go').click();
    await frame.locator('#result').waitFor();
    expect(await messagesTo(page)).toEqual([]);
    expect(await backIn(frame).isVisible()).toBe(false);
    await page.context().close();
  });

  test.each<[string, PlayOptions, string, string]>([
    ['expired', { expiresInMs: -1 }, 'play_expired', 'expired'],
    ['voided', { voided: true }, 'play_voided', 'refused'],
    ['out of tickets', { restriction: { code: 'insufficient_tickets' } }, 'insufficient_tickets', 'refused'],
  ])(
    'receives the refusal of a play that is %s, and a message when the player is done',
    async (_, options, code, reason) => {
      const { page, frame } = await framed(options);
      await waitForMessage(page, 'refused');
      const messages = async () => (await messagesTo(page)).filter(({ data }) => data.type !== 'resize');
      expect(typesIn(await messages())).toEqual(['ready', 'refused']);
      expect((await messages()).at(-1)!.data.data).toEqual({ code });
      await backIn(frame).click();
      await waitForMessage(page, 'done');
      expect((await messages()).at(-1)!.data.data).toEqual({ reason });
      await page.context().close();
    },
  );

  test('receives the refusal of a play that meets the daily limit when it spins', async () => {
    const { page, frame, url } = await framed();
    stage.fixture.change(url, { restriction: { code: 'daily_spin_limit_reached', limit: 5 } });
    await frame.locator('#go').click();
    await waitForMessage(page, 'refused');
    expect(typesIn(await messagesTo(page))).toEqual(['ready', 'started', 'ready', 'refused']);
    await page.context().close();
  });
});

test('the guide’s program shows a play at its full height, and removes it when the player is done', async () => {
  const { page, context } = await newPage(stage.browser);
  const { hostOrigin } = stage.fixture;
  const url = await stage.fixture.openPlay({ page: { frame_origins: hostOrigin } });
  await page.goto(stage.fixture.hostPage(url, { body: '<!doctype html><main></main>' }));
  await page.addScriptTag({ content: `${await frameProgram()};host.showPlay('${url}', document.body)` });
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: en.action.prizewheel }).click();
  await frame.locator('#result').waitFor();
  await expect.poll(async () => Number(await page.locator('iframe').getAttribute('height'))).not.toBe(740);
  await frame.getByRole('button', { name: en.back.plain }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await context.close();
});

test('the guide’s program tells two plays of one page apart', async () => {
  const { page, context } = await newPage(stage.browser);
  const frame_origins = stage.fixture.hostOrigin;
  const urls = [
    await stage.fixture.openPlay({ page: { frame_origins } }),
    await stage.fixture.openPlay({ page: { frame_origins }, expiresInMs: -1 }),
  ];
  await page.goto(stage.fixture.hostPage(urls[0]!, { body: '<!doctype html><main></main>' }));
  await page.addScriptTag({ content: await frameProgram() });
  for (const url of urls) await page.addScriptTag({ content: `host.showPlay('${url}', document.body)` });
  const heights = () =>
    page.locator('iframe').evaluateAll((all) => all.map((one) => one.getAttribute('height')));
  await expect.poll(async () => new Set([...(await heights()), '740']).size).toBe(3);
  const second = page.frameLocator('iframe').nth(1);
  await second.getByRole('button', { name: en.back.plain }).click();
  await expect.poll(heights).toHaveLength(1);
  const first = page.frameLocator('iframe');
  await first.getByRole('button', { name: en.action.prizewheel }).click();
  await first.getByRole('button', { name: en.back.plain }).click();
  await expect.poll(heights).toEqual([]);
  await context.close();
});

describe('the way back', () => {
  test('sends a message to the host, which removes the frame, and does not navigate', async () => {
    const { page, frame } = await framed({ page: { return_url: 'https://example.com/back' } });
    await page.route('https://example.com/**', (route) => route.fulfill({ body: 'back' }));
    await page.evaluate(() => {
      addEventListener('message', ({ data }) => {
        if (data.type === 'done') document.querySelector('iframe')!.remove();
      });
    });
    await frame.locator('#go').click();
    await frame.locator('#result').waitFor();
    await backIn(frame).click();
    await waitForMessage(page, 'done');
    await expect.poll(() => page.frames().length).toBe(1);
    expect(page.url()).toContain('/host?');
    expect((await messagesTo(page)).at(-1)!.data.data).toEqual({ reason: 'won' });
    await page.context().close();
  });

  test('opens the return URL in the whole window if the host does nothing', async () => {
    const { page, frame } = await framed({
      page: { return_url: 'https://example.com/back', brand_name: 'Sol' },
      lang: 'es',
      restriction: { code: 'daily_spin_limit_reached' },
    });
    await page.route('https://example.com/**', (route) => route.fulfill({ body: 'back' }));
    expect(await backIn(frame).textContent()).toBe('Volver a Sol');
    await backIn(frame).click();
    await page.waitForURL('https://example.com/back');
    await page.context().close();
  });

  test.each<[string, { return_url?: string }, string]>([
    [
      'where it would lead and what is missing, if the sandbox holds it',
      { return_url: backUrl },
      en.client.backAt,
    ],
    ['that the frame can be closed, if it leads nowhere', {}, en.client.close],
  ])('says %s', async (_, settings, text) => {
    const sandbox = 'allow-scripts allow-same-origin';
    const { page, frame } = await framed({ expiresInMs: -1, page: settings }, sandbox);
    await backIn(frame).click();
    await frame.getByText(text.replace('{url}', backUrl)).waitFor();
    await page.context().close();
  });

  test.each<[string, PlayOptions]>([
    ['an expired link', { expiresInMs: -1 }],
    ['a voided link', { voided: true }],
    ['a daily limit', { restriction: { code: 'daily_spin_limit_reached' } }],
    ['too few tickets', { restriction: { code: 'insufficient_tickets' } }],
  ])('appears on an unframed page at the end of %s', async (_, options) => {
    const { page } = await newPage(stage.browser);
    const settings = { return_url: 'https://example.com/back' };
    await page.goto(await stage.fixture.openPlay({ ...options, page: settings }));
    await page.route('https://example.com/**', (route) => route.fulfill({ body: 'back' }));
    await page.getByRole('link', { name: en.back.plain }).click();
    await page.waitForURL('https://example.com/back');
    await page.context().close();
  });

  test('appears only after the win', async () => {
    const { page } = await newPage(stage.browser);
    await page.goto(await stage.fixture.openPlay({ page: { return_url: 'myapp://wallet' } }));
    const link = page.getByRole('link', { name: en.back.plain });
    expect(await link.count()).toBe(0);
    await playToResult(page);
    expect(await link.getAttribute('href')).toBe('myapp://wallet');
    await page.context().close();
  });
});

test.each(['react', 'webkit'])(
  "an app's web view (%s) receives messages, even for an unknown link",
  async (kind) => {
    const { page } = await newPage(stage.browser);
    await page.addInitScript((kind) => {
      const messages: unknown[] = [];
      const react = { postMessage: (text: string) => messages.push(JSON.parse(text)) };
      const webkit = {
        messageHandlers: { incentives: { postMessage: (one: unknown) => messages.push(one) } },
      };
      Object.assign(window, { messages }, kind === 'react' ? { ReactNativeWebView: react } : { webkit });
    }, kind);
    const types = () =>
      page.evaluate(() => (window as unknown as { messages: Message[] }).messages.map(({ type }) => type));
    await page.goto(await stage.fixture.openPlay());
    await playToResult(page);
    await expect.poll(types).toContain('result');
    expect((await types()).filter((type) => type !== 'resize')).toEqual(['ready', 'started', 'result']);
    await page.goto(`${stage.fixture.baseUrl}/play/nobody-knows-this`);
    await page.getByRole('button', { name: en.back.plain }).click();
    expect((await types()).filter((type) => type !== 'resize')).toEqual(['ready', 'refused', 'done']);
    await page.context().close();
  },
);

describe('a sandboxed frame', () => {
  const needed = 'allow-scripts allow-same-origin';

  test('needs only scripts and the same origin to play', async () => {
    const { page, frame } = await framed({}, needed);
    await frame.locator('#go').click();
    await frame.locator('#result').waitFor();
    await frame.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
    await waitForMessage(page, 'result');
    await page.context().close();
  });

  test.each([
    ['en', en],
    ['es', es],
  ] as const)('with only scripts allowed says what is missing, in %s', async (lang, texts) => {
    const { page, frame } = await framed({ lang }, 'allow-scripts');
    const reason = frame.getByRole('status').filter({ hasText: texts.client.cutOff });
    const [above, below] = [await reason.boundingBox(), await backIn(frame).boundingBox()];
    expect(above!.y + above!.height).toBeLessThan(below!.y);
    expect(await frame.locator('#go, #left').count()).toBe(0);
    await waitForMessage(page, 'refused');
    const [ready, refused] = await messagesTo(page);
    expect(ready!.data.data).toMatchObject({ playable: false });
    expect(refused!.data.data).toEqual({ code: 'forbidden' });
    await screenshot(page, `cut-off-${lang}`);
    await backIn(frame).click();
    await waitForMessage(page, 'done');
    expect((await messagesTo(page)).at(-1)!.data.data).toEqual({ reason: 'refused' });
    await page.context().close();
  });

  test('opens the rules in a new window, or says where they are and which permission is missing', async () => {
    const rulesUrl = 'https://example.com/rules';
    const allowed = await framed({ rulesUrl }, `${needed} allow-popups`);
    await allowed.context.route('https://example.com/**', (route) => route.fulfill({ body: 'rules' }));
    const opening = allowed.context.waitForEvent('page');
    await allowed.frame.getByRole('link', { name: en.rules }).click();
    const opened = await opening;
    await opened.waitForURL(rulesUrl);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    await allowed.context.close();
    const refused = await framed({ rulesUrl }, needed);
    await refused.frame.getByRole('link', { name: en.rules }).click();
    await refused.frame.getByText(`The rules are at ${rulesUrl}.`).waitFor();
    await refused.context.close();
  });
});
