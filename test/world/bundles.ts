/**
 * The bundles that run in a world: those of all Lambda functions, as they are deployed but for their packages, which
 * have a bundle of their own; and the operator's commands.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { type Bundle, readBundle } from './realm.ts';

/**
 * A bundle by the name of its function, that of the packages of all functions, and that of the operator's command line.
 * Packages are apart so that a world evaluates them once, and not for each instance: nine tenths of a function's code
 * are the SDK, which no compiler would get warm otherwise.
 */
export type Bundles = { functions: Map<string, Bundle>; packages: Bundle; admin: Bundle };

const project = join(import.meta.dirname, '../..');

/** Bundles everything. Takes some seconds; the bundles are good for any number of worlds. */
export const loadBundles = (): Promise<Bundles> => inFolder((folder) => bundlesOf(project, folder));

/** The same of an earlier commit of this repository. Throws if there is no such commit, or it has no bundles. */
export function loadBundlesOf(commit: string): Promise<Bundles> {
  return inFolder((folder) => {
    const archive = execFileSync('git', ['archive', commit], { cwd: project, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    return bundlesOf(folder, join(folder, 'bundles'));
  });
}

async function bundlesOf(root: string, folder: string): Promise<Bundles> {
  const { bundleForLambda, functionNames } = (await import(
    join(root, 'infra/deploy/bundle.ts')
  )) as typeof import('../../infra/deploy/bundle.ts');
  const names = functionNames();
  const metafiles = [
    await bundleForLambda(folder, names, 'functions', 'external'),
    await bundleForLambda(join(folder, 'infra'), ['operate/admin/cli'], 'infra', 'external'),
  ];
  writeFileSync(join(folder, 'packages.ts'), textOf(packagesIn(metafiles)));
  await bundleForLambda(join(folder, 'all'), ['packages'], relative(root, folder));
  const read = (path: string, name: string) =>
    readBundle(readFileSync(join(folder, path, 'index.js'), 'utf8'), name);
  return {
    functions: new Map(names.map((name) => [name, read(name, name)])),
    packages: read('all/packages', 'packages'),
    admin: read('infra/operate/admin/cli', 'admin'),
  };
}

/** The packages that bundles ask for. */
function packagesIn(metafiles: Metafile[]): string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const asked = outputs.flatMap(({ imports }) => imports.map(({ path }) => path));
  return [...new Set(asked)].filter((name) => !isBuiltin(name)).sort();
}

/** A module that exports packages under their own names. */
const textOf = (names: string[]) =>
  names.map((name) => `export * as ${JSON.stringify(name)} from ${JSON.stringify(name)};`).join('\n');

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const build = join(project, '.build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, 'world-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
