import { beforeEach, describe, expect, test } from 'vitest';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { setPageSettings } from '../../infra/operate/admin/page.ts';
import type { ActionRecord } from '../../shared/actions/action-records.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { actionsOf } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { games, langs } from '../../shared/vocabulary.ts';
import { newUrl, openUrl, spinUrl } from '../games/support/plays.ts';
import { type Api, apiOf, newOrganization, request, times } from '../support/api.ts';
import { unset } from '../support/page-settings.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const keyId = ({ apiKey }: Api) => apiKey.split('_')[2];
const changes = async ({ organizationId }: Api) =>
  ((await readRange(actionsOf(organizationId))) as ActionRecord[]).filter(
    ({ action }) => action === 'page_changed',
  );

const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64')}`;
const brand = {
  return_url: 'http://127.0.0.1:5173/wallet',
  frame_origins: ['https://App.example.com/', 'http://localhost:5173', 'https://app.example.com'],
  rules_url_es: 'https://example.com/reglas',
  brand_name: 'Envíos Sol',
  brand_logo: png,
  brand_accent: '#0A7D4F',
  brand_background: '#ffffff',
};
const stored = {
  ...unset,
  ...brand,
  frame_origins: ['https://app.example.com', 'http://localhost:5173'],
  brand_accent: '#0a7d4f',
};

test('a host sets its origins, way back and brand, reads them, and its next page has them', async () => {
  expect((await api.get('/page')).body).toMatchObject({ status: 'success', ...unset });
  expect((await api.put('/page', brand)).body).toMatchObject(stored);
  expect((await api.get('/page')).body).toMatchObject(stored);
  const page = await openUrl(await newUrl(api, await api.user(9), { lang: 'es' }));
  expect(page.headers.get('content-security-policy')).toMatch(
    /frame-ancestors https:\/\/app\.example\.com http:\/\/localhost:5173$/,
  );
  expect(page.body).toContain('href="http://127.0.0.1:5173/wallet"');
  expect(page.body).toContain('alt="Envíos Sol"');
});

test('a setting that is left out stays, an empty one is removed, and operators see and change all', async () => {
  await api.put('/page', brand);
  await setPageSettings(api.organizationId, { brand_name: 'Luna' }, testContext());
  const { body } = await api.put('/page', { frame_origins: [], brand_logo: '' });
  expect(body).toMatchObject({ ...stored, brand_name: 'Luna', frame_origins: [], brand_logo: '' });
});

test('a change is an action of the API key in the records, and no change is none', async () => {
  for (const name of ['Sol', 'Luna', 'Luna']) await api.put('/page', { brand_name: name });
  await api.put('/page', {});
  const operator = `API key ${keyId(api)}`;
  expect(await changes(api)).toMatchObject([
    { operator, about: { page: { before: { brand_name: '' }, after: { brand_name: 'Sol' } } } },
    { operator, about: { page: { before: { brand_name: 'Sol' }, after: { brand_name: 'Luna' } } } },
  ]);
});

describe('is refused, and changes nothing:', () => {
  const address = 'return_url: Input should be an https URL, or an app link such as myapp://wallet';
  const origin = (index: number) =>
    `frame_origins.${index}: Input should be an origin such as https://app.example.com`;
  const logo = 'brand_logo: Input should be an https URL, or a PNG, JPEG, WebP or SVG image';
  test.each<[object, string]>([
    ...[
      'javascript:alert(1)',
      'http://example.com/',
      'JavaScript://%0aalert(1)',
      'data:text/html,x',
      'blob:https://a/b',
      'file:///etc/passwd',
      'intent://scan/#Intent;scheme=zxing;end',
      'view-source:https://a.example',
      'https://user:password@example.com/',
      '//example.com',
      'my app://wallet',
    ].map((return_url): [object, string] => [{ return_url }, address]),
    ...['https://example.com/path', 'https://*.example.com', 'null', 'https://user@example.com'].map(
      (one): [object, string] => [{ frame_origins: [one] }, origin(0)],
    ),
    [{ brand_logo: 'data:text/html;base64,PGI+' }, logo],
    [{ brand_name: 'a\u202eb' }, 'brand_name: Input should be a line of text'],
    [{ return_url: 7 }, 'return_url: Input should be a valid string'],
    [{ frame_origins: 'https://app.example.com' }, 'frame_origins: Input should be a valid list'],
    [{ frame_origins: ['https://a.example', '*'] }, origin(1)],
    [{ frame_origins: ["https://a.example;script-src'*'"] }, origin(0)],
    // Browsers spell this name of 180 characters in ASCII (Punycode), with more than 400 characters.
    [
      { frame_origins: [`https://${times(180, (i) => String.fromCodePoint(0x4e00 + 7 * i)).join('')}.com`] },
      'frame_origins.0: String should have at most 200 characters',
    ],
    [
      { frame_origins: Array(11).fill('https://a.example') },
      'frame_origins: List should have at most 10 items',
    ],
    [{ brand_name: 'a\u202eb' }, 'brand_name: Input should be a line of text'],
    [{ brand_logo: 'data:text/html;base64,PGI+' }, logo],
    [{ brand_logo: png.replace('png', 'jpeg') }, logo],
    [
      { brand_logo: `${png}${'A'.repeat(11_000)}` },
      'brand_logo: String should have at most 11000 characters',
    ],
    [{ brand_logo: png }, 'brand_name: Required with a logo, for users who cannot see images'],
    [{ brand_accent: 'green' }, 'brand_accent: Input should be a color as #rrggbb, such as #0a7d4f'],
    [
      { brand_background: '#ffffff', brand_text: '#999999' },
      'brand_text: On #ffffff its contrast is 2.8:1, and must be at least 4.5:1. Nearest readable colors: brand_text #767676, brand_accent #b58f35',
    ],
  ])('%j', async (body, message) => {
    const refused = await api.put('/page', { return_url: 'https://example.com/', ...body });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', message } });
    expect((await api.get('/page')).body).toMatchObject(unset);
    expect(await changes(api)).toEqual([]);
  });

  test('a body of more than 64 KiB', async () => {
    const { status, body } = await api.put('/page', { brand_logo: 'x'.repeat(70_000) });
    expect([status, body.message]).toEqual([400, 'Request body must be at most 65536 bytes']);
  });

  test('a suspended organization, which may still read', async () => {
    await changeSettings(api.organizationId, { suspended: true }, testContext());
    const { status, body } = await api.put('/page', { brand_name: 'Sol' });
    expect([status, body.code]).toEqual([403, 'organization_suspended']);
    expect((await api.get('/page')).body.brand_name).toBe('');
  });

  test("a key of another organization, which sees only that organization's settings", async () => {
    const other = await newOrganization();
    const { status } = await apiOf(api.organizationId, other.apiKey).put('/page', { brand_name: 'Sol' });
    expect(status).toBe(403);
    await other.put('/page', { brand_name: 'Luna' });
    expect((await api.get('/page')).body.brand_name).toBe('');
    expect((await request('PUT', '/page', { body: { brand_name: 'Sol' } })).status).toBe(401);
  });
});

describe('a preview', () => {
  type PreviewUrl = { game: string; lang: string; url: string };
  const previews = async (): Promise<PreviewUrl[]> => (await api.get('/page')).body.preview_urls;

  test('shows each game in each language with the settings, cost and prizes, and has no play', async () => {
    await setLimits(api.organizationId, { rulesUrl: 'https://example.com/rules' }, testContext());
    const { body } = await api.put('/page', brand);
    expect(body.preview_urls.map(({ game, lang }: PreviewUrl) => [game, lang])).toEqual(
      games.flatMap((game) => langs.map((lang) => [game, lang])),
    );
    for (const { game, lang, url } of body.preview_urls as PreviewUrl[]) {
      const page = await openUrl(url);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain(
        'frame-ancestors https://app.example.com',
      );
      for (const text of [
        `<html lang="${lang}">`,
        `data-game="${game}" data-state="preview"`,
        'alt="Envíos Sol"',
        'href="http://127.0.0.1:5173/wallet"',
        `href="https://example.com/r${lang === 'es' ? 'eglas' : 'ules'}"`,
      ])
        expect(page.body).toContain(text);
      expect(/<(span|b) id="(left|balance)"|"commitment":"[0-9a-f]{64}/.exec(page.body)).toBeNull();
    }
  });

  test('cannot be played', async () => {
    for (const { url } of await previews()) {
      const { status, body } = await spinUrl(url);
      expect([status, body.code]).toEqual([404, 'play_not_found']);
    }
  });

  test('has a link that only the service can make', async () => {
    const other = await newOrganization();
    const { url } = (await previews())[0]!;
    for (const forged of [
      url.replace(api.organizationId, other.organizationId),
      url.replace('.en.', '.es.'),
      url.replace('.en.', '.fr.'),
      url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      url.replace(api.organizationId, 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ]) {
      expect(forged).not.toBe(url);
      expect((await openUrl(forged)).status).toBe(404);
    }
  });
});
