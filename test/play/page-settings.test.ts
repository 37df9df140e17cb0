import { beforeAll, expect, test } from 'vitest';
import { eraseUser } from '../../infra/operate/admin/erase-user.ts';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { setPageSettings } from '../../infra/operate/admin/page.ts';
import { failureTexts } from '../../shared/api/failure-page.ts';
import { tableClient } from '../../shared/table/client.ts';
import { newUrl, openUrl } from '../games/support/plays.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { invoke } from '../support/invoke.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
let user: string;
beforeAll(async () => {
  api = await newOrganization();
  user = await api.user(9);
});
const policyOf = ({ headers }: { headers: Headers }) => headers.get('content-security-policy')!;
const opened = async (body: object = {}) => openUrl(await newUrl(api, user, body));

test('a page without settings is unchanged', async () => {
  const page = await opened();
  expect(policyOf(page)).toMatch(/frame-ancestors https: http:\/\/localhost:\*/);
  expect(policyOf(page)).toMatch(/img-src data:;/);
  expect(page.body).not.toContain('class="brand"');
  expect(page.body).not.toMatch(/<a [^>]*id="(back|rules)"/);
});

test('the settings of an operator apply to the next page', async () => {
  await setLimits(api.organizationId, { rulesUrl: 'https://example.com/rules' }, testContext());
  const typed = {
    return_url: 'myapp://wallet?from=game&lang=en',
    frame_origins: 'https://app.example.com,capacitor://localhost',
    rules_url_es: 'https://example.com/reglas',
    brand_name: 'Sol',
    brand_logo: 'https://cdn.example.com/logo.svg',
    brand_accent: '#0a7d4f',
    brand_background: '#ffffff',
  };
  await setPageSettings(api.organizationId, typed, testContext());
  const [english, spanish] = [await opened(), await opened({ lang: 'es' })];
  expect(policyOf(english)).toMatch(/frame-ancestors https:\/\/app\.example\.com capacitor:\/\/localhost$/);
  expect(policyOf(english)).toContain('img-src data: https://cdn.example.com;');
  expect(english.body).toContain('href="https://example.com/rules"');
  expect(spanish.body).toContain('href="https://example.com/reglas"');
  expect(english.body).toContain('href="myapp://wallet?from=game&amp;lang=en"');
  expect(english.body).toContain('--accent:#0a7d4f');
  expect(english.body).toContain('"framers":["https://app.example.com","capacitor://localhost"]');
});

test.each([
  ['en', 'es', 'Official rules'],
  ['es', 'en', 'Reglas oficiales'],
] as const)(
  'rules in %s only are also linked in %s, with their language marked',
  async (theirs, lang, name) => {
    const other = await newOrganization();
    const rules = 'https://example.com/rules';
    await setPageSettings(other.organizationId, { [`rules_url_${theirs}`]: rules }, testContext());
    const linkIn = async (lang: string) => {
      const { body } = await openUrl(await newUrl(other, await other.user(1), { lang }));
      return /<a id="rules".*?<\/a>/.exec(body)![0];
    };
    expect(await linkIn(lang)).toMatch(`href="${rules}" lang="${theirs}" hreflang="${theirs}"`);
    expect(await linkIn(lang)).toContain(`>${name}<`);
    expect(await linkIn(theirs)).not.toContain('lang=');
  },
);

test.each([
  ['en', 'No purchase necessary.', 'The official rules say how to enter for free.', 'Enter for free'],
  [
    'es',
    'No es necesario comprar.',
    'Las reglas oficiales dicen cómo participar gratis.',
    'Participar gratis',
  ],
] as const)(
  'a page in %s says beside its button that no purchase is necessary, and how to enter for free',
  async (lang, noPurchase, inRules, link) => {
    const other = await newOrganization();
    const bodyNow = async () =>
      (await openUrl(await newUrl(other, await other.user(1), { lang }))).body.split('id="problem"')[0]!;
    expect(await bodyNow()).toContain(`${noPurchase} ${inRules}`);
    const settings = {
      [`free_entry_${lang}`]: 'Write to <us>.',
      [`free_entry_url_${lang}`]: 'https://f.example/',
    };
    await setPageSettings(other.organizationId, settings, testContext());
    expect(await bodyNow()).toContain(`${noPurchase} Write to &lt;us&gt;.`);
    expect(await bodyNow()).toMatch(
      `<a href="https://f.example/" target="_blank" rel="noopener noreferrer">${link}</a>`,
    );
  },
);

test('the page of an expired URL has the organization’s brand', async () => {
  const path = { token: (await newUrl(api, user)).split('/').at(-1)! };
  const now = Date.now() + 3600_000;
  const { body } = await invoke('play/open', { organizationId: '', path, now });
  expect(body).toContain('data-state="expired"');
  expect(body).toContain('alt="Sol"');
});

test('the page of an erased user has the organization’s brand', async () => {
  const erased = await api.user(9);
  const url = await newUrl(api, erased);
  await eraseUser(api.organizationId, erased, { ...testContext(), why: 'asked' });
  const page = await openUrl(url);
  expect(page.body).toContain('data-state="unknown"');
  expect(page.body).toContain(`<title>${failureTexts.en.unknown.title} · Sol</title>`);
  expect(page.body).toContain('alt="Sol"');
  expect(policyOf(page)).toContain('frame-ancestors https://app.example.com');
});

test('settings do not apply to other organizations', async () => {
  const other = await newOrganization();
  const { body } = await openUrl(await newUrl(other, await other.user(1)));
  expect(body).not.toContain('alt="Sol"');
});

test.each([
  ['es-US', failureTexts.es.failed],
  ['fr', failureTexts.en.failed],
  ['fr-CA, es;q=0.8, en;q=0.5', failureTexts.es.failed],
  ['es; q=0.1, en-GB', failureTexts.en.failed],
  ['es;q=0', failureTexts.en.failed],
  ['es;q=1e1, en;q=0.5', failureTexts.en.failed],
])('a failed page is a friendly one for Accept-Language %s', async (language, { title, button }) => {
  const path = { token: (await newUrl(api, user)).split('/').at(-1)! };
  const headers = { 'accept-language': language };
  const { result } = await watchingCalls(
    tableClient,
    () => invoke('play/open', { organizationId: '', path, headers }),
    () => ({ instead: new Error('the table is away') }),
  );
  expect(result.status).toBe(500);
  expect(result.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(result.body).toContain(`content="default-src 'none';`);
  expect(result.body).toContain(title);
  expect(result.body).toContain(button);
  expect(result.body).not.toContain('away');
  // The script of a play page fetches the page again and expects the element `play` in a play page. An error page
  // must not have this element.
  expect(result.body).not.toMatch(/<script|id="play"/);
});
