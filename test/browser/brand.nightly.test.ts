import { expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import type { PageSettings } from '../../shared/organizations/page-settings.ts';
import { games } from '../../shared/vocabulary.ts';
import {
  accessibilityViolations,
  desktop,
  newPage,
  overflowOf,
  phone,
  playToResult,
  screenshot,
} from './support/browser.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' width='150' height='40'><rect width='150' height='40' rx='20' fill='#0a7d4f'/></svg>";
const logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const back = { return_url: 'https://example.com/wallet' };
const brands: Record<string, Partial<PageSettings>> = {
  light: {
    ...back,
    brand_name: 'Envíos Sol y Luna de la Costa',
    brand_background: '#ffffff',
    brand_accent: '#0a7d4f',
  },
  dark: {
    ...back,
    brand_name: 'Sol',
    brand_logo: logo,
    brand_background: '#1b0f2e',
    brand_accent: '#ff5da2',
  },
  plain: { ...back, brand_name: 'Sol', brand_accent: '#0a7d4f' },
  loud: { ...back, brand_name: 'Sol', brand_background: '#ffd400', brand_accent: '#7a0019' },
};

const cases = Object.keys(brands).flatMap((brand, b) => {
  const game = games.toReversed()[b % games.length]!;
  return (['phone', 'desktop'] as const).map((size) => ({ brand, game, size }));
});

test.each(cases)('a $brand brand is readable on a $size in each state', async ({ brand, game, size }) => {
  const lang = size === 'phone' ? 'es' : 'en';
  const { page, problems } = await newPage(stage.browser, { phone, desktop }[size]);
  const expectGood = async (state: string) => {
    await screenshot(page, `brand-${brand}-${size}-${state}`, true);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  };
  await page.goto(await stage.fixture.openPlay({ game, lang, page: brands[brand]!, expiresInMs: 250_000 }));
  await expectGood('ready');
  await playToResult(page);
  await expectGood('played');
  const restriction = { code: 'daily_spin_limit_reached', limit: 5 } as const;
  await page.goto(await stage.fixture.openPlay({ game, lang, page: brands[brand]!, restriction }));
  await expectGood('refused');
  await page.goto(await stage.fixture.openPlay({ game, lang, page: brands[brand]!, expiresInMs: -1 }));
  await expectGood('expired');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the page shows the host’s name, and its logo has the name as alternative text', async () => {
  const { page } = await newPage(stage.browser);
  const shown = { brand_name: '<b>Sol & "Luna"</b>', return_url: 'myapp://wallet' };
  await page.goto(await stage.fixture.openPlay({ page: shown }));
  expect(await page.title()).toBe(`${en.games.prizewheel.title} · ${shown.brand_name}`);
  await page.getByText(shown.brand_name, { exact: true }).waitFor();
  await page.goto(await stage.fixture.openPlay({ page: { ...shown, brand_logo: logo } }));
  const image = page.getByRole('img', { name: shown.brand_name });
  expect(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(150);
  await page.context().close();
});

test('the page requests only the logo from another origin, without a referrer', async () => {
  const { page, problems, requested } = await newPage(stage.browser);
  const referrers: (string | undefined)[] = [];
  await page.route('https://cdn.example.com/**', (route) => {
    referrers.push(route.request().headers().referer);
    return route.fulfill({ contentType: 'image/svg+xml', body: svg });
  });
  const address = 'https://cdn.example.com/logo.svg';
  const url = await stage.fixture.openPlay({ page: { brand_name: 'Sol', brand_logo: address } });
  await page.goto(url);
  await page.getByRole('img', { name: 'Sol' }).waitFor();
  expect(requested.filter((one) => !one.startsWith('data:'))).toEqual([url, address]);
  expect(referrers).toEqual([undefined]);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('an SVG logo cannot run a script', async () => {
  const { page, requested } = await newPage(stage.browser);
  const hostile = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="parent.document.title='owned'"><script>fetch('https://evil.example')</script><image href="https://evil.example/a.png"/></svg>`;
  const brand_logo = `data:image/svg+xml;base64,${Buffer.from(hostile).toString('base64')}`;
  await page.goto(await stage.fixture.openPlay({ lang: 'es', page: { brand_name: 'Sol', brand_logo } }));
  await page.getByRole('img', { name: 'Sol' }).waitFor();
  await playToResult(page);
  expect(await page.title()).toBe(`${es.games.prizewheel.title} · Sol`);
  expect(requested.filter((one) => one.includes('evil'))).toEqual([]);
  await page.context().close();
});
