import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { bugs } from './bugs.ts';
import { withBug } from './scratch-copy.ts';

const root = join(import.meta.dirname, '../../..');

test.each(bugs)('the bug "$name" fits in one place, and leaves a file that can be bundled', (bug) => {
  const text = readFileSync(join(root, bug.file), 'utf8');
  const planted = withBug(bug, text);
  expect(planted).not.toBe(text);
  expect(() => transformSync(planted, { loader: 'ts' })).not.toThrow();
});

test('all bugs have different names', () => {
  const names = bugs.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});
