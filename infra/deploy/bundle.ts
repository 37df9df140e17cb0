import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { pageAssets } from '../common/page-assets.ts';

const root = join(import.meta.dirname, '../..');

/** Names of all Lambda functions: each file under `functions/` that has a handler, as `tickets/credit`. */
export function functionNames(): string[] {
  return globSync('functions/{*.ts,*/*.ts}', { cwd: root })
    .map((file) => relative('functions', file).replace(/\.ts$/, ''))
    .sort();
}

// esbuild's service collects garbage as if it had little memory, which takes a third of its time.
process.env.GOGC ??= '400';

// Lambda hands a function its credentials in the environment: all other ways to come by some stay out.
const neverUsed = ['ini', 'sso', 'process', 'web-identity', 'login', 'http'].map(
  (way) => `@aws-sdk/credential-provider-${way}`,
);
const withoutOtherCredentials: Plugin = {
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
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `${from}/${name}.ts`, out: `${name}/index` })),
    outdir: folder,
    bundle: true,
    packages,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Of packages that come in both forms the ES modules: of CommonJS, nothing unused can be left out.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    plugins: [pageAssets(), withoutOtherCredentials],
  });
  return metafile;
}
