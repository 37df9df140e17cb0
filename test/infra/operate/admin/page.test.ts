import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { setPageSettings } from '../../../../infra/operate/admin/page.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { parseLeaf } from '../../../../shared/books/leaves.ts';
import { actionsOf } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { newOrganization } from '../../../support/api.ts';
import { unset } from '../../../support/page-settings.ts';
import { testContext } from '../../../support/test-context.ts';

let org: string;
beforeEach(async () => {
  org = (await newOrganization()).organizationId;
});
const folder = mkdtempSync(join(tmpdir(), 'logos-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function page(verb: 'show' | 'set', ...options: string[]) {
  const texts = { out: '', error: '' };
  const code = await runCommand(['page', verb, '--org', org, ...options, '--stage', 'local'], {
    out: (text) => {
      texts.out += text;
    },
    error: (text) => {
      texts.error += text;
    },
  });
  return { code, error: texts.error, shown: texts.out ? JSON.parse(texts.out) : undefined };
}
const actions = async () =>
  ((await readRange(actionsOf(org))) as ActionRecord[]).filter(({ action }) => action !== 'opened');

const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
const logoFile = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('nothing is set initially', async () => {
  expect((await page('show')).shown).toEqual({ organization_id: org, ...unset });
});

test('given options are set, others stay, and "none" unsets', async () => {
  await page('set', '--return-url', 'myapp://wallet', '--brand-name', 'Envíos Sol');
  const { shown } = await page(
    'set',
    '--frame-origins',
    'https://App.example.com/, http://localhost:5173 capacitor://localhost,https://app.example.com',
    '--brand-accent',
    '#0A7D4F',
    '--brand-background',
    '#ffffff',
  );
  expect(shown).toEqual({
    organization_id: org,
    ...unset,
    return_url: 'myapp://wallet',
    brand_name: 'Envíos Sol',
    frame_origins: ['https://app.example.com', 'http://localhost:5173', 'capacitor://localhost'],
    brand_accent: '#0a7d4f',
    brand_background: '#ffffff',
  });
  expect((await page('set', '--return-url', 'none', '--frame-origins', 'none')).shown).toMatchObject({
    return_url: '',
    frame_origins: [],
    brand_name: 'Envíos Sol',
  });
});

test('a change has a record with operator, reason and former values, which is in the book', async () => {
  const logo = logoFile('logo.png', png);
  await page('set', '--brand-name', 'Sol', '--brand-logo', logo, '--why', 'A new brand');
  await page('set', '--brand-name', 'Luna');
  await page('set', '--brand-name', 'Luna');
  const made = await actions();
  expect(made).toMatchObject([
    {
      action: 'page_changed',
      why: 'A new brand',
      before: {},
      after: {},
      about: {
        page: {
          before: { brand_name: '', brand_logo: '' },
          after: { brand_name: 'Sol', brand_logo: expect.stringMatching(/^sha256:[\w-]{43}$/) },
        },
      },
    },
    { about: { page: { before: { brand_name: 'Sol' }, after: { brand_name: 'Luna' } } } },
  ]);
  for (const record of made) expect(parseLeaf(leafLineOf(record))).toBeDefined();
  expect((await page('show')).shown.brand_logo).toBe(`data:image/png;base64,${png.toString('base64')}`);
});

test('addresses of this machine are accepted on the local stage only', async () => {
  const typed = { return_url: 'http://127.0.0.1:5173/wallet', frame_origins: 'http://localhost:5173' };
  expect(await setPageSettings(org, typed, testContext())).toMatchObject({
    return_url: typed.return_url,
    frame_origins: [typed.frame_origins],
  });
  vi.stubEnv('STAGE', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(typed))
    await expect(setPageSettings(org, { [name]: value }, testContext())).rejects.toThrow(`${name}`);
});

test('a dry run prints the new settings, and changes nothing', async () => {
  expect((await page('set', '--brand-name', 'Sol', '--dry-run')).shown.brand_name).toBe('Sol');
  expect((await page('show')).shown.brand_name).toBe('');
  expect(await actions()).toEqual([]);
});

test('concurrent changes of two operators are both kept', async () => {
  const typed = [
    { brand_name: 'Sol' },
    { return_url: 'https://example.com/' },
    { rules_url_es: 'https://example.com/reglas' },
  ];
  await Promise.all(typed.map((one) => setPageSettings(org, one, testContext())));
  expect((await page('show')).shown).toMatchObject(Object.assign({}, ...typed));
  expect(await actions()).toHaveLength(3);
});

describe('is refused, and changes nothing:', () => {
  const address = '--return-url: Input should be an https URL, or an app link such as myapp://wallet';
  const origin = '--frame-origins.0: Input should be an origin such as https://app.example.com';
  const logo = '--brand-logo: Input should be an https URL, or a PNG, JPEG, WebP or SVG image';
  test.each([
    ...['http://example.com', 'javascript:alert(1)'].map((value) => [['--return-url', value], address]),
    ...['http://example.com', '*'].map((value) => [['--frame-origins', value], origin]),
    [['--free-entry-url-en', 'http://example.com'], '--free-entry-url-en: Input should be a valid https URL'],
    [['--rules-url-en', 'http://example.com'], '--rules-url-en: Input should be a valid https URL'],
    [['--brand-logo', `data:image/jpeg;base64,${png.toString('base64')}`], logo],
    [
      ['--brand-logo', 'https://example.com/logo.svg'],
      '--brand-name: Required with a logo, for users who cannot see images',
    ],
    [['--brand-accent', 'green'], '--brand-accent: Input should be a color as #rrggbb, such as #0a7d4f'],
    [
      ['--brand-accent', '#0a7d4f', '--brand-accent-text', '#1c1533'],
      '--brand-accent-text: On #0a7d4f its contrast is 3.3:1, and must be at least 4.5:1. Nearest readable colors: brand_accent_text #efeff1',
    ],
    [
      ['--brand-background', '#ffffff', '--brand-text', '#999999'],
      '--brand-text: On #ffffff its contrast is 2.8:1, and must be at least 4.5:1. Nearest readable colors: brand_text #767676',
    ],
    [
      ['--brand-text', '#777777'],
      '--brand-text: On #17619f, a color of the page, its contrast is 1.4:1, and must be at least 4.5:1. Nearest readable colors: brand_text #d8d8d8',
    ],
    [
      ['--brand-background', '#ffffff', '--brand-accent', '#ffd23f'],
      '--brand-accent: On #ffffff its contrast is 1.4:1, and must be at least 3:1. Nearest readable colors: brand_accent #b0912c',
    ],
    [
      ['--brand-background', '#808080', '--brand-text', '#ffffff', '--brand-accent', '#000000'],
      '--brand-text: On #808080 its contrast is 3.9:1, and must be at least 4.5:1. Nearest readable colors: brand_text #171717',
    ],
    [
      ['--brand-background', '#808080', '--brand-text', '#ffffff', '--brand-accent', '#ffffff'],
      'Nearest readable colors: brand_text #171717, brand_accent #373737',
    ],
  ] as [string[], string][])('%j', async (options, message) => {
    const { code, error } = await page('set', ...options);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) });
    expect((await page('show')).shown).toEqual({ organization_id: org, ...unset });
    expect(await actions()).toEqual([]);
  });

  test('a file that is not an image, too large or missing', async () => {
    const text = logoFile('logo.txt', 'a logo');
    const large = logoFile('large.png', Buffer.concat([png, Buffer.alloc(20_000)]));
    for (const [path, message] of [
      [text, 'is not a PNG, JPEG, WebP or SVG image'],
      [large, 'has 20012 bytes. The limit is 8230: use a smaller image'],
      [join(folder, 'absent.png'), "can't be read"],
    ]) {
      expect((await page('set', '--brand-name', 'Sol', '--brand-logo', path!)).error).toContain(message);
    }
    const brand_logo = `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(9000)]).toString('base64')}`;
    await expect(setPageSettings(org, { brand_name: 'Sol', brand_logo }, testContext())).rejects.toThrow(
      'brand_logo: String should have at most 11000 characters',
    );
    expect(await actions()).toEqual([]);
  });
});
