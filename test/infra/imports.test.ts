import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { tableDefinition } from '../../shared/table/keys.ts';
import { games, langs } from '../../shared/vocabulary.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{functions,infra,shared}/**/*.{ts,tsx}', { cwd: root });
const importsOf = (file: string): string[] => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm)].map(([, path = '']) =>
    path.startsWith('.') ? normalize(join(dirname(file), path)) : path,
  );
};
const imports = files.flatMap((file) => importsOf(file).map((path) => ({ file, path })));
const broken = (from: RegExp, to: (path: string, file: string) => boolean) =>
  imports
    .filter(({ file, path }) => from.test(file) && to(path, file))
    .map(({ file, path }) => `${file} → ${path}`);

test('shared imports neither functions nor infra', () => {
  expect(broken(/^shared\//, (path) => /^(functions|infra)\//.test(path))).toEqual([]);
});

test('functions import neither infra nor other functions, except for parts of their page', () => {
  const ofItsPage = (path: string) => /^functions\/(play|docs)\/page\//.test(path);
  expect(broken(/^functions\//, (path) => /^(functions|infra)\//.test(path) && !ofItsPage(path))).toEqual([]);
});

test('the CDK app imports only pure parts of shared, and no SDK client', () => {
  const pure = new Set(
    [
      'stage',
      'vocabulary',
      'environment',
      'metrics',
      'stage-authorities',
      'api/routes',
      'api/route',
      'api/schemas',
      'refusals',
      'api/openapi/document',
      'api/error-answer',
      'api/failure-page',
      'table/keys',
      'payouts/figures',
    ].map((name) => `shared/${name}.ts`),
  );
  const cdk = /^infra\/deploy\//;
  expect(broken(cdk, (path) => path.startsWith('shared/') && !pure.has(path))).toEqual([]);
  expect(broken(cdk, (path) => path.startsWith('@aws-sdk/') || path.startsWith('functions/'))).toEqual([]);
});

test('a folder of infra imports only the folders that it may depend on', () => {
  const allowed: Record<string, string[]> = {
    common: [],
    deploy: ['common'],
    verify: [],
    operate: ['common', 'deploy/stages.ts'],
    develop: ['common', 'deploy', 'operate'],
  };
  const roomOfInfra = (path: string) => path.split('/')[1]!;
  const isForeign = (path: string, file: string) =>
    path.startsWith('infra/') &&
    roomOfInfra(path) !== roomOfInfra(file) &&
    !allowed[roomOfInfra(file)]!.some((room) => `${path}/`.startsWith(`infra/${room}/`));
  expect(broken(/^infra\/\w+\//, isForeign)).toEqual([]);
  expect([...new Set(files.filter((file) => /^infra\//.test(file)).map(roomOfInfra))].sort()).toEqual(
    Object.keys(allowed).sort(),
  );
});

test('shared and functions read the environment in one file', () => {
  const reading = files.filter(
    (file) => !file.startsWith('infra/') && readFileSync(join(root, file), 'utf8').includes('process.env'),
  );
  expect(reading).toEqual(['shared/environment.ts']);
});

/** The layers of `shared`, lowest first. A folder may import only from folders in lower layers. */
const floors = [
  ['table', 'timestamps', 'drand'],
  ['accounts', 'organizations'],
  ['games', 'drawings'],
  ['amoe', 'prizes', 'webhooks', 'reports'],
  ['books'],
  ['actions', 'payouts'],
  ['api'],
];
const roomOf = (file: string) => /^shared\/(\w+)\//.exec(file)?.[1];
const floorOf = (file: string) => floors.findIndex((rooms) => rooms.includes(roomOf(file) ?? '')) + 1;

test('a folder of shared imports only lower layers', () => {
  const upward = (path: string, file: string) =>
    path.startsWith('shared/') && roomOf(path) !== roomOf(file) && floorOf(path) >= floorOf(file);
  expect(broken(/^shared\//, upward)).toEqual([]);
  const known = new Set([...floors.flat(), 'client']);
  expect(files.map(roomOf).filter((room) => room !== undefined && !known.has(room))).toEqual([]);
});

test('the client and the service import no code of each other, except for what acts as a host', () => {
  const ofClient = (path: string) => path.startsWith('shared/client/') && !path.endsWith('?text');
  expect(broken(/^shared\/client\//, (path) => !ofClient(path))).toEqual([]);
  expect(
    broken(/^(?!shared\/client\/|infra\/(develop\/client|operate\/smoke|develop\/demo)\/)/, ofClient),
  ).toEqual([]);
});

test('there are no circular imports', () => {
  const reachedFrom = (file: string, seen = new Set<string>()) => {
    for (const path of importsOf(file)) {
      if (!files.includes(path) || seen.has(path)) continue;
      seen.add(path);
      reachedFrom(path, seen);
    }
    return seen;
  };
  expect(files.filter((file) => reachedFrom(file).has(file))).toEqual([]);
});

test('no file only re-exports from other files', () => {
  const handsOn = (file: string) => {
    const lines = readFileSync(join(root, file), 'utf8')
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      .split(';')
      .map((line) => line.trim())
      .filter(Boolean);
    return lines.length > 0 && lines.every((line) => /^export [\s\S]* from '/.test(line));
  };
  expect(files.filter(handsOn)).toEqual([]);
});

test('only one file has key conditions, and only one names the attributes of the index', () => {
  const { partitionKey, sortKey } = tableDefinition.byTime;
  // Skips tests that repeat attribute names to stay independent of the product's code.
  const independent = ['test/infra/deploy/manifest.ts', 'test/table/keys.test.ts'];
  const isOutside = (file: string) =>
    /^test\/(world|support\/dynamodb)\//.test(file) || independent.includes(file);
  const containing = (text: string) =>
    globSync('{functions,infra,shared,test}/**/*.ts', { cwd: root }).filter(
      (file) => !isOutside(file) && readFileSync(join(root, file), 'utf8').includes(text),
    );
  // Skips benchmarks, which call the AWS SDK directly as a baseline.
  const queries = containing(`${'KeyCondition'}Expression`).filter((file) => !file.startsWith('test/bench/'));
  expect(queries).toEqual(['shared/table/ranges.ts']);
  expect(containing(partitionKey)).toEqual(['shared/table/keys.ts']);
  expect(containing(sortKey)).toEqual(['shared/table/keys.ts']);
});

test('one file lists the games, and one the languages', () => {
  const listing = (words: readonly string[]) =>
    files.filter((file) =>
      readFileSync(join(root, file), 'utf8').includes(words.map((word) => `'${word}'`).join(', ')),
    );
  expect([listing(games), listing(langs)]).toEqual([['shared/vocabulary.ts'], ['shared/vocabulary.ts']]);
});
