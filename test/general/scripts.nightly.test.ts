import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
/** Scripts of other programs, and `admin`, each of whose options runs once in `effects.test.ts`. */
const others = ['typecheck', 'lint', 'check', 'test', 'admin'];
const names = Object.keys(scripts).filter((name) => !others.includes(name));

function run(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', name, '--', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

/** Options whose usage shows no value. */
const valued: Record<string, string> = { '--minutes': '1', '--memory': '1' };
const samples: Record<string, string> = { '--stage': 'local', '--start': '2026-01-01', '--event': 'outcome' };

/** `npm run verify -- --bundle` takes no other options. */
const alone = ['--bundle'];

/** The options in a usage, each with a value if it takes one. */
function optionsIn(usage: string): string[] {
  const found = new Map<string, string[]>();
  for (const [, option = '', value] of usage.matchAll(
    /(--[a-z][a-z-]+)( "?<| [a-z]+\|| (?:\d+|cash_won)\b)?/g,
  )) {
    if (value !== undefined || option in valued)
      found.set(option, [option, valued[option] ?? samples[option] ?? '1']);
    else if (!found.has(option)) found.set(option, [option]);
  }
  for (const option of alone) found.delete(option);
  return [...found.values()].flat();
}

test.each(names)('npm run %s explains itself, and takes each option that it names', (name) => {
  const help = run(name, '--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain(`npm ${name === 'start' ? '' : 'run '}`);
  const options = optionsIn(help.stdout);
  // The script ends at the first option that it does not know, before it does anything.
  const { status, stderr } = run(name, ...options, '--unknown-option');
  expect([status, stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining("Unknown option '--unknown-option'"),
  ]);
  expect(status).not.toBe(0);
});
