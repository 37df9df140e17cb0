import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { pageAssets } from './page-assets.ts';

const root = join(import.meta.dirname, '..');

/** Names of all Lambda functions: each file under `functions/` that has a handler, as `tickets/credit`. */
export function functionNames(): string[] {
  return globSync('functions/{*.ts,*/*.ts}', { cwd: root })
    .map((file) => relative('functions', file).replace(/\.ts$/, ''))
    .sort();
}

// esbuild's service collects garbage as if it had little memory, which takes a third of its time.
process.env.GOGC ??= '400';

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  minify: true,
  keepNames: false,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'error',
  treeShaking: true,
  // Of packages that come in both forms the ES modules: of CommonJS, nothing unused can be left out.
  mainFields: ['module', 'main'],
  plugins: [pageAssets()],
};

// Lambda hands a function its credentials in the environment: all other ways to come by some stay out.
const neverUsed = ['ini', 'sso', 'process', 'web-identity', 'login', 'http'].map(
  (way) => `@aws-sdk/credential-provider-${way}`,
);
const withoutOtherCredentials: NonNullable<BuildOptions['plugins']>[number] = {
  name: 'lambda-credentials-only',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${neverUsed.join('|')}|@smithy/credential-provider-imds)$`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'never-used' }));
    onLoad({ filter: /.*/, namespace: 'never-used' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Bundles functions for Lambda, each into `<folder>/<name>/index.js`: CommonJS, minified, SDK inside. Their files
 * lie in `from`. Returns what went into each bundle. With its packages `external` a bundle asks for them by `require`.
 */
export async function bundleForLambda(
  folder: string,
  names = functionNames(),
  from = 'functions',
  packages: 'bundle' | 'external' = 'bundle',
): Promise<Metafile> {
  const { metafile } = await build({
    ...common,
    format: 'cjs',
    packages,
    metafile: true,
    entryPoints: names.map((name) => ({ in: `${from}/${name}.ts`, out: `${name}/index` })),
    outdir: folder,
    plugins: [pageAssets(), withoutOtherCredentials],
  });
  return metafile;
}

/**
 * Bundles the same functions for the local stage, into `<folder>/<name>.mjs`. They share what they have in
 * common, because here they share a process, and the laptop should not load the SDK thirty times.
 */
export async function bundleForLocal(folder: string, names = functionNames()): Promise<void> {
  await build({
    ...common,
    minify: false,
    sourcemap: 'inline',
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: name })),
    outdir: folder,
  });
}
