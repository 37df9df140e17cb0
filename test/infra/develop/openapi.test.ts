import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
function openapi(...args: string[]) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout, stderr } = spawnSync(
    'node',
    ['infra/node24.mjs', 'infra/develop/openapi.ts', ...args],
    options,
  );
  return { status, stderr, document: stdout ? JSON.parse(stdout) : undefined };
}
const debugPaths = [
  '/debug/users/{user_id}/games/play',
  '/debug/daily-cash-limit',
  '/debug/daily-spin-limit',
  '/debug/spin-run',
];

describe('npm run openapi', () => {
  test('prints the document of production, and names the operations that it leaves out', () => {
    const { document, stderr } = openapi('https://api.example.com');
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }]);
    expect(Object.keys(document.paths)).toContain('/users/{user_id}/summary');
    for (const path of debugPaths) {
      expect(document.paths).not.toHaveProperty([path]);
      expect(stderr).toContain(path);
    }
  });

  test('prints the document of staging with debug operations, and no warning', () => {
    const { document, stderr } = openapi('--stage', 'staging');
    for (const path of debugPaths) expect(document.paths).toHaveProperty([path]);
    expect(stderr).toBe('');
  });

  test.each([
    [['--stage', 'moon'], '--stage is "moon", and must be local, staging, production.'],
    [['--stages', 'local'], "Unknown option '--stages'"],
  ])('refuses %j and prints its usage', (args, message) => {
    const { status, stderr, document } = openapi(...args);
    expect([status, document]).toEqual([2, undefined]);
    const [error, none, usage, ...rest] = stderr.split('\n');
    expect([none, rest]).toEqual(['', ['']]);
    expect(error).toContain(message);
    expect(usage).toMatch(/^npm run -s openapi -- \[--stage /);
  });
});
