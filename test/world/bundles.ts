/** Bundles all code that a simulation runs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundleForLambda, functionNames } from '../../infra/deploy/bundle.ts';
import { type Bundle, readBundle } from './sandbox.ts';

/** All bundles that a world runs. The npm packages are separate, so that a world evaluates them only once. */
export type Bundles = { functions: Map<string, Bundle>; packages: Bundle; operate: Bundle };

const project = join(import.meta.dirname, '../..');

/** Builds all bundles of the checkout, in a few seconds. Any number of worlds can use the result. */
export const loadBundles = (): Promise<Bundles> => inFolder(bundlesIn);

async function bundlesIn(folder: string): Promise<Bundles> {
  const names = functionNames();
  const metafiles = [
    await bundleForLambda(folder, names, 'functions', 'external'),
    await bundleCommands(join(folder, 'operate.js')),
  ];
  writeFileSync(join(folder, 'packages.ts'), textOf(packagesIn(metafiles)));
  await bundleForLambda(join(folder, 'all'), ['packages'], relative(project, folder));
  const read = (path: string, name: string) => readBundle(readFileSync(join(folder, path), 'utf8'), name);
  return {
    functions: new Map(names.map((name) => [name, read(`${name}/index.js`, name)])),
    packages: read('all/packages/index.js', 'packages'),
    operate: read('operate.js', 'operate'),
  };
}

/** Bundles the operators' command line, without the console's page. */
async function bundleCommands(outfile: string): Promise<Metafile> {
  const withoutPage: Plugin = {
    name: 'without-page',
    setup: ({ onLoad }) =>
      onLoad({ filter: /common.page-assets\.ts$/ }, () => ({
        contents: "export const pageAsset = () => '';",
      })),
  };
  const contents = `export { runCommand } from './infra/operate/admin/cli.ts';`;
  const { metafile } = await build({
    absWorkingDir: project,
    stdin: { contents, resolveDir: project },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    minify: true,
    define: { 'import.meta.dirname': '"/"' },
    logLevel: 'error',
    metafile: true,
    plugins: [withoutPage],
  });
  return metafile;
}

/** Returns the names of the npm packages that the bundles import. */
function packagesIn(metafiles: Metafile[]): string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const imported = outputs.flatMap(({ imports }) => imports.map(({ path }) => path));
  return [...new Set(imported)].filter((name) => !isBuiltin(name)).sort();
}

/** Returns the source of a module that exports each npm package under the package's name. */
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
