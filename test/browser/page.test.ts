import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { games } from '../../shared/vocabulary.ts';
import { newUrl } from '../games/support/plays.ts';
import { newOrganization } from '../support/api.ts';
import { raw } from '../support/raw.ts';
import { newPage, openAndPlay, outcomeShown, playButton, playToResult } from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

test.each(games)('the page of %s is a single response under 40 KB', async (game) => {
  const api = await newOrganization();
  const url = await newUrl(api, await api.user(20), { game, lang: 'es' });
  const { bytes } = await raw({
    method: 'GET',
    target: new URL(url).pathname,
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(bytes.length).toBeLessThan(40_000);
  const page = gunzipSync(bytes).toString();
  expect(page).not.toMatch(/<(link|script|img|iframe)[^>]+(href|src)="(?!data:)/);
});

test('the content security policy allows only the page’s own inline code', async () => {
  const response = await fetch(await stage.fixture.openPlay());
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).not.toContain('unsafe');
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-/);
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('the game can be played by keyboard, and the focus moves to the result', async () => {
  const { page } = await newPage(stage.browser, { viewport: { width: 360, height: 740 } });
  const url = await stage.fixture.openPlay();
  await page.goto(url);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('sound');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('go');
  await page.keyboard.press('Enter');
  // Waits for the focus, which moves to the result one animation frame after the result is shown.
  await page.locator('#result:focus').waitFor();
  // The receipt's summary comes between the result and the odds.
  for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.locator('#odds').getAttribute('open')).not.toBeNull();
  await page.context().close();
});

test('the result shows its time in the browser’s time zone, even after a reload', async () => {
  const { page } = await newPage(stage.browser, { timezoneId: 'Asia/Tokyo' });
  await page.goto(await stage.fixture.openPlay());
  const result = await playToResult(page);
  expect(result).toContain('GMT+9');
  await page.reload();
  expect(await page.getByRole('status').textContent()).toBe(result);
  await page.context().close();
});

test('with reduced motion, the result appears at once without confetti', async () => {
  const { page } = await newPage(stage.browser);
  await page.goto(await stage.fixture.openPlay());
  await playToResult(page);
  const canvas = await page.locator('#confetti').evaluate((element) => (element as HTMLCanvasElement).width);
  expect(canvas).toBe(300);
  const running = await page.evaluate(() => document.getAnimations().length);
  expect(running).toBe(0);
  await page.context().close();
});

test('a prize label with markup is shown as text', async () => {
  const hostile = '</script><img src=x onerror="document.title=\'owned\'"><b>Gift</b> & "more"';
  const { page, problems, requested } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay({
    prizes: [
      {
        id: '"><script>',
        kind: 'prize_merchandise',
        amount: 1,
        weight: 1,
        label: { en: hostile, es: hostile },
      },
    ],
    rulesUrl: 'javascript:alert(1)',
  });
  await page.goto(url);
  expect(await page.locator('#odds').textContent()).toContain(hostile);
  expect(await playToResult(page)).toContain(hostile);
  expect(await page.title()).toBe('Prize Wheel');
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.getByRole('link').count()).toBe(0);
  expect(requested).toEqual(expect.arrayContaining([url, `${url}/spin`]));
  expect(problems).toEqual([]);
  await page.context().close();
});

// biome-ignore lint/suspicious/noExplicitAny: the data of a spin's response
test.each<[string, (fairness: any) => object]>([
  ['otherCommitment', ({ server_seed }) => ({ server_seed: `${server_seed.slice(0, 60)}beef` })],
  ['draw', ({ prize_id }) => ({ prize_id: otherPrize(prize_id) })],
])('a play whose seeds do not fit is reported: %s', async (verdict, change) => {
  const { page } = await newPage(stage.browser);
  await page.goto(await stage.fixture.openPlay());
  await page.route('**/spin', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(body.fairness, change(body.fairness));
    await route.fulfill({ response, json: body });
  });
  await playToResult(page);
  await page.locator(`#verdict[data-verdict=${verdict}]`).waitFor({ state: 'attached' });
  await page.context().close();
});
const otherPrize = (id: string) => defaultPrizeTables.prizewheel.prizes.find((prize) => prize.id !== id)!.id;

test.each([null, 7, { client_seed: null }])(
  'a response with the fairness data %j shows its prize and a bad verdict',
  async (said) => {
    const { page, problems } = await newPage(stage.browser);
    const url = await stage.fixture.openPlay();
    await page.goto(url);
    await page.route('**/spin', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.fairness = said && typeof said === 'object' ? { ...body.fairness, ...said } : said;
      await route.fulfill({ response, json: body });
    });
    await playToResult(page);
    expect(await outcomeShown(page)).toBe(stage.fixture.playOf(url).outcome?.id);
    await page.locator('.fair summary').click();
    await page.locator('#verdict.bad[data-verdict]').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

test('without crypto.subtle, the check is hidden', async () => {
  const { page, problems } = await newPage(stage.browser);
  await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await page.goto(await stage.fixture.openPlay());
  await playToResult(page);
  expect(await page.locator('#verdict').isHidden()).toBe(true);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a free play says that it is free and costs no tickets', async () => {
  const { page } = await newPage(stage.browser);
  const entry = defaultPrizeTables.prizewheel.prizes.find(({ id }) => id === 'entry-truck');
  const url = await stage.fixture.openPlay({ cost: 0, prizes: [entry!] });
  await page.goto(url);
  expect(await playButton(page).textContent()).toContain('Free play');
  await page.context().close();
  const { page: played, status, verdict } = await openAndPlay(stage.browser, url);
  expect(status).toContain('You now have 24 tickets.');
  expect(verdict).toBe('good');
  await played.context().close();
});

test('the remaining time follows the service’s clock, not the device’s', async () => {
  const { page } = await newPage(stage.browser);
  await page.clock.install({ time: new Date('2020-02-03T04:05:06Z') });
  await page.clock.pauseAt(new Date('2020-02-03T04:05:07Z'));
  await page.goto(await stage.fixture.openPlay());
  const secondsLeft = async () => {
    const text = await page.locator('#left').textContent();
    const [, minutes, seconds] = /^(\d+):(\d\d) left to play$/.exec(text!)!;
    return 60 * Number(minutes) + Number(seconds);
  };
  const atFirst = await secondsLeft();
  // Less than 30 minutes may be left, because the URL was created before the page was loaded.
  expect(atFirst).toBeGreaterThan(28 * 60);
  expect(atFirst).toBeLessThanOrEqual(30 * 60);
  await page.clock.runFor(25 * 60_000 + 5_000);
  expect(await secondsLeft()).toBe(atFirst - 25 * 60 - 5);
  expect(await page.locator('#warn').textContent()).toBe('5 minutes left to play');
  await page.context().close();
});

test('a host’s page can frame the game', async () => {
  const { page, problems } = await newPage(stage.browser);
  const url = await stage.fixture.openPlay();
  await page.goto(stage.fixture.hostPage(url));
  const frame = page.frameLocator('iframe');
  await playButton(frame).click();
  await frame.locator('#result').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
