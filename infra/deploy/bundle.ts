import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { pageAssets } from '../common/page-assets.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Returns the names of all Lambda functions, such as `tickets/credit`: every file under `functions/` that
 * exports a handler.
 */
export function functionNames(): string[] {
  return globSync('functions/{*.ts,*/*.ts}', { cwd: root })
    .map((file) => relative('functions', file).replace(/\.ts$/, ''))
    .sort();
}

// By default esbuild spends a third of its time on garbage collection.
process.env.GOGC ??= '400';

// Lambda provides credentials in environment variables, so the SDK's other credential providers are left out.
const unusedCredentials = ['ini', 'sso', 'process', 'web-identity', 'login', 'http'].map(
  (way) => `@aws-sdk/credential-provider-${way}`,
);
const omitUnusedCredentials: Plugin = {
  name: 'lambda-credentials-only',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${unusedCredentials.join('|')}|@smithy/credential-provider-imds)$`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'never-used' }));
    onLoad({ filter: /.*/, namespace: 'never-used' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Bundles functions from the folder `from` for Lambda, each into `<folder>/<name>/index.js`: CommonJS, minified, with
 * the SDK. With `packages: 'external'`, bundles require packages at run time instead. Returns esbuild's metafile.
 */
export async function bundleForLambda(
  folder: string,
  names = functionNames(),
  from = 'functions',
  packages: 'bundle' | 'external' = 'bundle',
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `${from}/${name}.ts`, out: `${name}/index` })),
    outdir: folder,
    bundle: true,
    packages,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Prefers ES modules, since esbuild cannot drop unused code from CommonJS.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    plugins: [pageAssets(), omitUnusedCredentials],
  });
  return metafile;
}
