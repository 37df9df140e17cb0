import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { textImportPlugin } from '../common/page-assets.ts';

const root = join(import.meta.dirname, '../..');

export function functionNames(): string[] {
  return globSync('functions/{*.ts,*/*.ts}', { cwd: root })
    .map((file) => relative('functions', file).replace(/\.ts$/, ''))
    .sort();
}

// Makes esbuild collect garbage less often. By default, garbage collection takes a third of esbuild's time.
process.env.GOGC ??= '400';

// Omits these credential providers of the AWS SDK from the bundles: Lambda provides credentials in
// environment variables.
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
    // Prefers the ES module version of packages, because esbuild cannot drop unused code from CommonJS.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    plugins: [textImportPlugin(), omitUnusedCredentials],
  });
  return metafile;
}
