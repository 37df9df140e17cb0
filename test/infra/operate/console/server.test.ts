import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { nouns } from '../../../../infra/operate/admin/cli.ts';
import { parseConsoleOptions } from '../../../../infra/operate/console/options.ts';
import { type RunningConsole, startConsole } from '../../../../infra/operate/console/server.ts';
import { askAsAnyProgram, type Headers } from '../../../support/any-program.ts';
import { newOrganization } from '../../../support/api.ts';

let console_: RunningConsole;
let link: URL;
let cookie: string;
beforeAll(async () => {
  console_ = await startConsole({ stage: 'local' });
  link = new URL(console_.link);
  const { headers } = await ask('GET', link.pathname + link.search);
  cookie = String(headers['set-cookie']).split(';')[0]!;
});
afterAll(() => console_.stop());

const ask = (method: string, path: string, headers?: Headers, body?: string) =>
  askAsAnyProgram(link, { method, path, ...(headers ? { headers } : {}), body });

const ofPage = () => ({
  cookie,
  origin: link.origin,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'x-incentives-page': '1',
});
const run = async (noun: string, verb: string, values: object, headers: Headers = ofPage()) => {
  const { status, body } = await ask('POST', '/run', headers, JSON.stringify({ noun, verb, values }));
  return { status, body, ...(status === 200 ? JSON.parse(body) : {}) };
};

describe('the link', () => {
  test('becomes a cookie that scripts cannot read, and leaves the address', async () => {
    const { status, headers } = await ask('GET', link.pathname + link.search);
    expect(status).toBe(303);
    expect(headers.location).toBe('/');
    expect(String(headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const { status: opened, body } = await ask('GET', '/', { cookie: `theme=dark; ${cookie}; lang=en` });
    expect(opened).toBe(200);
    expect(body).toMatch(/<title>Incentives, local<\/title>.*<script src="\/console.js" defer>/s);
    expect(body).toContain('The console needs JavaScript.');
  });

  test('works only with its token, and nothing works without it', async () => {
    const { status, body } = await ask('GET', '/?token=guess');
    expect(status).toBe(401);
    expect(body).toContain('Open the link that the console printed when it started.');
    expect(body).toContain('npm run console -- --stage');
    for (const path of ['/', '/console.js', '/console.css', '/commands']) {
      expect((await ask('GET', path)).status).toBe(401);
      const { status, headers } = await ask('GET', path, { cookie });
      const type = { js: 'text/javascript', css: 'text/css' }[path.split('.')[1] ?? ''];
      expect([status, headers['content-type']]).toEqual([
        200,
        type ? `${type}; charset=utf-8` : expect.stringMatching(/^(text\/html|application\/json);/),
      ]);
    }
    const { cookie: _, ...others } = ofPage();
    expect((await run('org', 'list', {}, others as Headers)).status).toBe(401);
    expect((await ask('GET', '/', { cookie: `${cookie.split('=')[0]}=guess` })).status).toBe(401);
  });

  test('may be opened from another origin, such as a terminal in the browser', async () => {
    const { status } = await ask('GET', link.pathname + link.search, { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(303);
  });
});

describe('npm run console', () => {
  test.each([
    ['--stage local', { stage: 'local', port: 0 }],
    ['--stage staging --port 65535', { stage: 'staging', port: 65_535 }],
    ['--stage production --port 0', { stage: 'production', port: 0 }],
  ])('takes %s', (args, options) => {
    expect(parseConsoleOptions(args.split(' '))).toEqual(options);
  });

  test.each([
    ['', 'Specify a stage: npm run console -- --stage local|'],
    ['--stage nowhere', 'Specify a stage: npm run console -- --stage local|'],
    ['--stage local --port 65536', '--port must be a whole number from 0 to 65535, but is "65536".'],
    ['--stage local --port=-1', 'but is "-1".'],
    ['--stage local --port 1.5', 'but is "1.5".'],
    ['--stage local --unknown', '--unknown'],
  ])('refuses "%s" and says why', (args, message) => {
    expect(() => parseConsoleOptions(args.split(' ').filter(Boolean))).toThrow(message);
  });

  test.each([
    ['prints the link', {}, { out: expect.stringContaining('http://127.0.0.1:') }],
    [
      'fails at the start without a table',
      { TABLE_NAME: 'missing' },
      { out: '', error: expect.stringContaining('The table does not exist.'), code: 1 },
    ],
  ])('%s', async (_, environment, expected) => {
    const main = join(import.meta.dirname, '../../../../infra/operate/console/main.ts');
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, [main, '--stage', 'local'], { env });
    onTestFinished(() => void child.kill());
    const texts = { out: '', error: '' };
    child.stdout.on('data', (text) => {
      texts.out += text;
      child.kill();
    });
    child.stderr.on('data', (text) => {
      texts.error += text;
    });
    const [code] = await once(child, 'close');
    expect({ ...texts, code }).toMatchObject(expected);
  });
});

describe('a request is refused', () => {
  test.each([
    ['a name that resolves to this machine', { host: 'rebound.example' }, 421],
    ['another port', { host: '127.0.0.1:1' }, 421],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page on another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['a request that the browser marks as same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a request that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a form, which cannot send the header', { 'x-incentives-page': '' }, 403],
    ['a form, which cannot send JSON', { 'content-type': 'text/plain' }, 403],
  ])('from %s', async (_, headers: Headers, status) => {
    expect(await run('org', 'list', {}, { ...ofPage(), ...headers })).toMatchObject({ status });
  });

  test('with a foreign Host even with the token', async () => {
    expect((await ask('GET', link.pathname + link.search, { host: 'rebound.example' })).status).toBe(421);
  });

  test('with an invalid address', async () => {
    for (const path of ['//', 'http://[']) {
      const { status, body } = await ask('GET', path, { cookie });
      expect([status, body]).toEqual([400, expect.stringContaining('This address is invalid.')]);
    }
  });

  test('if it is not a command', async () => {
    const long = 'x'.repeat(41);
    for (const command of [
      '',
      '[]',
      '{"noun":"org"}',
      '{"noun":"org","verb":"list","values":{"a":1}}',
      `{"noun":"${long}","verb":"list","values":{}}`,
      `{"noun":"org","verb":"${long}","values":{}}`,
      `{"noun":"org","verb":"list","values":{"${long}":true}}`,
    ]) {
      const { status, body } = await ask('POST', '/run', ofPage(), command);
      expect([status, body]).toEqual([422, expect.stringContaining('This request is no valid command')]);
    }
    const { status, body } = await ask('GET', '/run', { cookie });
    expect([status, body]).toEqual([404, expect.stringContaining('Page not found.')]);
  });
});

test('every response has a strict content security policy', async () => {
  for (const [path, headers] of [
    ['/', { cookie }],
    ['/commands', { cookie }],
    ['/', {}],
  ] as const) {
    const answer = await ask('GET', path, headers);
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }
});

describe('a command', () => {
  test('is listed as declared', async () => {
    const { body } = await ask('GET', '/commands', { cookie });
    const shown = JSON.parse(body);
    expect(shown.stage).toBe('local');
    expect(Object.keys(shown.nouns)).toEqual([...nouns.keys()]);
    expect(shown.nouns.user.find).toEqual({
      effect: 'reads',
      summary: expect.stringMatching(/^Show a user's balances/),
      required: { org: 'organization id' },
      optional: { user: 'user id', reference: 'external reference' },
      flags: [],
    });
    expect(shown.nouns.game.set).toMatchObject({
      effect: 'changes',
      flags: ['dry-run', 'costly', 'despite-rules'],
    });
  });

  test('returns its output, or the same error as on the command line', async () => {
    const { organizationId: org } = await newOrganization('Seen');
    const { body } = await run('org', 'list', {});
    expect(JSON.parse(body)).toEqual({ exit_code: 0, output: { organizations: expect.any(Array) } });
    expect(await run('game', 'limits', { org, 'daily-cash': '750', why: 'A rainy day' })).toMatchObject({
      exit_code: 0,
      output: { daily_cash_limit_usd: 750 },
    });
    expect(await run('game', 'limits', { org, 'daily-cash': 'lots' })).toMatchObject({
      exit_code: 2,
      message: expect.stringContaining('--daily-cash: '),
    });
    expect(await run('game', 'limits', {})).toMatchObject({ exit_code: 2, message: '--org is missing.' });
  });

  test('accepts the text of a file, and reads no file of this machine', async () => {
    const { organizationId: org } = await newOrganization();
    const prizes = [{ id: 'one', kind: 'tickets', amount: 2, weight: 1, label: { en: 'Two', es: 'Dos' } }];
    const file = JSON.stringify({ prizes });
    const set = (file: string, isDry = true) =>
      run('game', 'set', { org, game: 'truck', file, 'dry-run': isDry });
    const temporary = await mkdtemp(join(tmpdir(), 'console-test-'));
    vi.stubEnv('TMPDIR', temporary);
    expect(await set(file)).toMatchObject({ exit_code: 0, output: { dry_run: true } });
    expect((await set(file, false)).output.dry_run).toBeUndefined();
    expect(await readdir(temporary)).toEqual([]);
    vi.unstubAllEnvs();
    await rmdir(temporary);
    expect((await set('/etc/hostname')).message).toContain('not JSON');
    expect(await run('book', 'export', { org, day: '2026-01-01', out: '/tmp' })).toMatchObject({
      exit_code: 2,
      message: '--out works only on the command line.',
    });
  });

  test('accepts a file of 100,000 lines', async () => {
    const { organizationId: org } = await newOrganization();
    const lines = Array.from({ length: 100_000 }, (_, line) => `prize ${line},held,,${'x'.repeat(200)}`);
    const file = `prize_id,state,reference,reason\n${lines.join('\n')}`;
    const { output } = await run('prize', 'import', { org, file, 'dry-run': true });
    expect(output).toMatchObject({ lines: 100_000, wrong: 100_000, faults: { length: 100 } });
  });

  test('accepts only its own options: not the stage, and none inside a value', async () => {
    expect(await run('org', 'list', { stage: 'production' })).toMatchObject({
      exit_code: 2,
      message: 'There is no option --stage.',
    });
    for (const name of ['help', 'constructor', 'x --stage'])
      expect(await run('org', 'list', { [name]: 'y' })).toMatchObject({ exit_code: 2 });
    const found = await run('user', 'find', { org: '--stage=production', user: 'x' });
    expect(found.message).toBe('There is no organization --stage=production.');
    for (const [noun, verb] of [
      ['org', 'constructor'],
      ['nothing', 'list'],
    ] as const)
      expect(await run(noun, verb, {})).toMatchObject({
        exit_code: 2,
        message: `There is no command "${noun} ${verb}".`,
      });
  });
});
