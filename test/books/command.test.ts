import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBundle } from '../../infra/verify/bundle.ts';
import { booksOf, filesOf, keptLine } from './support/books.ts';
import { honestDays } from './support/honest.ts';

const books = booksOf(honestDays());
const files = filesOf(books);
const [name = ''] = files.keys();
let folder: string;
let command: string;

// Far from the project, so that nothing of it can be found from there.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  command = join(folder, 'verify.mjs');
  await writeBundle(command);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the one file as an outsider does, who has Node and nothing else. */
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
  return { status, stdout, stderr };
}

describe('the one file', () => {
  test('says that honest books are good', () => {
    const { status, stdout } = run('.');
    expect(stdout).toMatch(/^GOOD: 3 days checked/);
    expect(stdout).toContain(keptLine(files, name));
    expect(status).toBe(0);
  });

  test('takes a key, and lines that were kept', () => {
    const good = run('.', '--key', books.key.line, '--kept', keptLine(files, name));
    expect([good.status, good.stderr]).toEqual([0, '']);
    const bad = run(
      '.',
      '--kept',
      keptLine(files, name).replace(/.$/, (c) => (c === '0' ? '1' : '0')),
    );
    expect(bad.status).toBe(1);
    expect(bad.stdout).toContain('not_the_kept_book (1)');
  });

  test('says where its page cannot be written', () => {
    const { status, stderr } = run('.', '--page', 'no/such/folder/page.html');
    expect(stderr).toContain('no/such/folder/page.html');
    expect(status).toBe(2);
  });

  test('prints the verdict as JSON, and what a person reads beside it', () => {
    const { status, stdout, stderr } = run('.', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'good', days_checked: 3, findings: [] });
    expect(stderr).toMatch(/^GOOD/);
    expect(status).toBe(0);
  });

  test('says what is wrong with a command', () => {
    const wrong = [[], ['nowhere'], ['.', '--key', 'x'], ['.', '--kept', 'x'], ['.', '--what']];
    for (const args of wrong) {
      const { status, stdout, stderr } = run(...args);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Usage: ');
    }
  });

  test('asks for nothing but modules of Node, and for none that reaches out', () => {
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

  test('is written to be read', () => {
    const text = readFileSync(command, 'utf8');
    expect(text).toMatch(/^\/\*\n \* Checks daily books/);
    expect(text).toContain('node verify.mjs <files or folders>');
    expect(text.split('\n').length).toBeGreaterThan(5000);
    expect(text).toContain('function checkClientSeed(');
  });
});

describe('the page', () => {
  const pageFor = (...args: string[]) => {
    const path = join(folder, 'page.html');
    run(...args, '--page', path);
    return readFileSync(path, 'utf8');
  };

  test('says what was checked, found and not checked, and how the draws came out', () => {
    const page = pageFor('.');
    expect(page).toContain('<b>No discrepancies found.</b> 3 days');
    expect(page).toContain(keptLine(files, name));
    expect(page).toContain(books.key.line.replaceAll('+', '+'));
    expect(page).toContain('consistent with the published odds');
    expect(page).toContain('too few');
    expect(page).toContain('Truck entry');
    expect(page).toContain('beacon_out');
  });

  test('needs nothing else, and runs nothing', () => {
    const page = pageFor('.');
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import/i);
    expect(page).toContain("default-src 'none'");
  });

  test('takes what books say for text', () => {
    const broken = join(folder, `<img src=x onerror=alert(1)>.book`);
    writeFileSync(broken, 'nothing');
    const page = pageFor(broken);
    rmSync(broken);
    expect(page).toContain('Discrepancies found');
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toContain('<img');
  });
});
