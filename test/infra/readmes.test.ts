import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (room: string) => globSync('*.{ts,tsx}', { cwd: join(root, room) }).sort();
/** Returns the file names in the first column of a README's table of files. */
const listedIn = (readme: string) =>
  [...(/^\| file \|[\s\S]*?(?=\n\n|$(?![\s\S]))/m.exec(readme)?.[0] ?? '').matchAll(/^\|[^|]*/gm)].flatMap(
    ([cell]) => [...cell.matchAll(/`([\w.-]+\.tsx?)`/g)].map(([, file]) => file!),
  );
const rooms = globSync('{shared,infra,functions}/**/README.md', { cwd: root })
  .filter((path) => /^\| file \|/m.test(read(path)))
  .map(dirname)
  .sort();

test('READMEs with a table of files are found', () => {
  expect(rooms).toEqual(expect.arrayContaining(['infra/verify', 'shared/webhooks']));
});

test.each(rooms)('the README of %s names every file of its room, and no missing one', (room) => {
  const readme = read(join(room, 'README.md'));
  const files = filesIn(room);
  expect(files.filter((file) => !readme.includes(`\`${file}\``))).toEqual([]);
  expect(listedIn(readme).filter((file) => !files.includes(file))).toEqual([]);
});

test('the root README lists every folder of shared and infra', () => {
  const readme = read('README.md');
  const folders = globSync('{shared,infra}/*/', { cwd: root }).map((path) => path.replace(/\/$/, ''));
  const isNamed = (path: string) => {
    const [room, folder] = path.split('/');
    return new RegExp(`\`${room}/([\\w/]* )*${folder}/`).test(readme);
  };
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((path) => !isNamed(path))).toEqual([]);
});
