import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** Maximum length of a comment line in characters. Biome wraps code, but not comments. */
const maxLength = 120;

/** File that is generated from the OpenAPI document. The test skips it, because its comments may have any length. */
const generated = 'shared/client/operations.ts';

test('no line of a comment is longer than 120 characters', () => {
  const files = globSync('{functions,infra,shared,test}/**/*.{ts,tsx,mjs,css}', { cwd: root }).filter(
    (file) => file !== generated,
  );
  const tooLong = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /^\s*(\*|\/\*|\/\/)/.test(line) && line.length > maxLength ? [`${file}:${at + 1}`] : [],
      ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(tooLong).toEqual([]);
});
