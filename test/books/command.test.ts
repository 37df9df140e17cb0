import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { localAuthority, rootFingerprint } from '../../infra/develop/local/authority.ts';
import { writeVerifyBundle } from '../../infra/verify/bundle.ts';
import { runVerify } from '../../infra/verify/cli.ts';
import { booksOf, filesOf, keptLine } from './support/books.ts';
import { honestDays } from './support/honest.ts';
import { timestamped } from './support/timestamps.ts';

const books = booksOf(honestDays());
const files = filesOf(books);
const [name = ''] = files.keys();
let folder: string;
let command: string;

// Writes verify's bundle outside the project, so that it cannot load any file of the project.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  command = join(folder, 'verify.mjs');
  await writeVerifyBundle(command);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command in this process, except its thread, which loads the bundle. Captures what the command prints. */
async function run(...args: string[]) {
  const printed = { log: '', error: '' };
  for (const stream of ['log', 'error'] as const)
    vi.spyOn(console, stream).mockImplementation((text) => {
      printed[stream] += `${text}\n`;
    });
  const status = await runVerify(args, 'npm run verify --', pathToFileURL(command));
  vi.restoreAllMocks();
  return { status, stdout: printed.log, stderr: printed.error };
}

/** Runs verify's bundle without environment variables, like an outsider who has only Node. */
function runBundle(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
  return { status, stdout, stderr };
}

describe('verify', () => {
  test('accepts a key and kept lines', async () => {
    const good = await run(folder, '--key', books.key.line, '--kept', keptLine(files, name));
    expect([good.status, good.stderr]).toEqual([0, '']);
    const bad = await run(
      folder,
      '--kept',
      keptLine(files, name).replace(/.$/, (c) => (c === '0' ? '1' : '0')),
    );
    expect(bad.status).toBe(1);
    expect(bad.stdout).toContain('not_the_kept_book (1)');
  });

  test('trusts only the timestamp authorities that are named', async () => {
    const stamped = mkdtempSync(join(folder, 'stamped-'));
    for (const [name, text] of timestamped(files)) writeFileSync(join(stamped, name), text);
    const { fingerprint256 } = localAuthority.root.certificate;
    const path = join(folder, 'stamped.html');
    const good = await run(stamped, '--authority', fingerprint256, '--page', path);
    expect(good.stdout).toMatch(/^GOOD: 3 days of staging checked/);
    const page = readFileSync(path, 'utf8');
    expect(page).toMatch(/<td>2026-\d\d-\d\dT0[56]:05:00.000Z<\/td>/);
    expect(page).toContain(
      `CN=Incentives local timestamp root, certificate ${rootFingerprint(localAuthority)}`,
    );
    const bad = await run(stamped, '--authority', 'ab'.repeat(32));
    expect(bad.stdout).toContain('timestamp_invalid (3)');
    rmSync(stamped, { recursive: true });
  });

  test('stops at a limit of time or memory, and says so', async () => {
    const late = await run(folder, '--minutes', '0.0001');
    expect([late.status, late.stdout]).toEqual([3, '']);
    expect(late.stderr).toBe(
      'The check was not done after 0.0001 minutes (--minutes). This says nothing about the files.\n',
    );
    const large = join(folder, 'large.records');
    writeFileSync(large, `[${'{},'.repeat(4_000_000)}{}]\n`);
    const full = runBundle(large, '--memory', '0.01');
    rmSync(large);
    // V8 aborts the whole program, without an exit code, if a single call such as `JSON.parse` exceeds the
    // memory limit.
    expect([3, null]).toContain(full.status);
    expect(full.stdout).toBe('');
  });

  test('fails with an error if its page cannot be written', async () => {
    const { status, stderr } = await run(folder, '--page', 'no/such/folder/page.html');
    expect(stderr).toContain('no/such/folder/page.html');
    expect(status).toBe(2);
  });

  test('prints the verdict as JSON to stdout and the summary to stderr', async () => {
    const { status, stdout, stderr } = await run(folder, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'good', days_checked: 3, findings: [] });
    expect(stderr).toMatch(/^GOOD/);
    expect(status).toBe(0);
  });

  test.each([
    [[], 'There are no .book or .records files to check.'],
    [['nowhere'], 'nowhere'],
    [['.', '--what'], '--what'],
    [['.', '--key', 'x'], '--key: "x" is not a verifier key.'],
    [['.', '--kept', 'x'], '--kept: "x" is not a line of a book'],
    [['.', '--authority', `x${'ab'.repeat(32)}`], 'is not a certificate’s SHA-256 fingerprint of 64 hex'],
    [['.', '--authority', `${'ab'.repeat(32)}0`], 'is not a certificate’s SHA-256 fingerprint of 64 hex'],
    [['.', '--minutes', ' '], '--minutes must be a number from 0 to 10000.'],
    [['.', '--memory', '0.009'], '--memory must be a number from 0.01 to 1000.'],
  ])('prints the error and the usage for %j', async (args, message) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('\n\nUsage: npm run verify -- <files or folders> [--key <verifier key>]');
  });
});

describe('the verify bundle', () => {
  test('prints that honest books are good', () => {
    const { status, stdout } = runBundle('.');
    expect(stdout).toMatch(/^GOOD: 3 days of staging checked/);
    expect(stdout).toContain(keptLine(files, name));
    expect(status).toBe(0);
    expect(runBundle('--what').stderr).toContain('Usage: node verify.mjs <files or folders>');
  });

  test('imports only Node modules, and none that accesses the network or starts processes', () => {
    const text = readFileSync(command, 'utf8');
    const asked = [...text.matchAll(/(?:^import\b.*?from |\bimport\(|\brequire\()["'](.+?)["']/gm)].map(
      ([, module = '']) => module.replace('node:', ''),
    );
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((module) => !builtinModules.includes(module))).toEqual([]);
    const reaching = /^(child_process|cluster|dgram|dns|http2?|https|inspector|net|tls|vm)\b/;
    expect(asked.filter((module) => reaching.test(module))).toEqual([]);
    expect(text).not.toMatch(/\bfetch\(|\bWebSocket\b/);
  });

  test('is readable code', () => {
    const text = readFileSync(command, 'utf8');
    expect(text).toMatch(/^\/\*\n \* Checks daily books/);
    expect(text).toContain('node verify.mjs <files or folders>');
    expect(text.split('\n').length).toBeGreaterThan(5000);
    expect(text).toContain('function repeatDraw(');
  });
});

describe('the verdict page', () => {
  const pageFor = async (...args: string[]) => {
    const path = join(folder, 'page.html');
    await run(...args, '--page', path);
    return readFileSync(path, 'utf8');
  };

  test('shows the findings, what was not checked, and the odds, and loads and runs nothing', async () => {
    const page = await pageFor(folder);
    expect(page).toContain('<b>No discrepancies found.</b> 3 days');
    expect(page).toContain(keptLine(files, name));
    expect(page).toContain(books.key.line.replaceAll('+', '+'));
    expect(page).toContain('computed again with the published odds');
    expect(page).toContain('Truck entry');
    expect(page).toContain('What was not checked');
    expect(page).toContain('daily_cash_limit_usd');
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import/i);
    expect(page).toContain("default-src 'none'");
  });

  test('escapes the contents of files', async () => {
    const broken = join(folder, `<img src=x onerror=alert(1)>.book`);
    writeFileSync(broken, 'nothing');
    const page = await pageFor(broken);
    rmSync(broken);
    expect(page).toContain('Discrepancies found');
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toContain('<img');
  });
});
