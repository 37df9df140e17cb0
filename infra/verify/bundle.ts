import { join } from 'node:path';
import { build } from 'esbuild';
import { usage } from './cli.ts';

const header = `/*
 * Checks daily books against their records without trusting the operator who made them.
 *
 * node verify.mjs ${usage.replaceAll('*/', '* /').split('\n').join('\n * ')}
 *
 * Requires Node 20.12 or newer, but no network, packages or other programs. This file is bundled and not minified,
 * so that you can read it before you rely on it.
 */`;

/** Bundles the check into one file, which is not minified, so that outsiders can read it. */
export async function writeVerifyBundle(path: string): Promise<void> {
  await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    entryPoints: ['infra/verify/standalone.ts'],
    outfile: path,
    bundle: true,
    platform: 'node',
    target: 'node20.12',
    format: 'esm',
    mainFields: ['module', 'main'],
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'error',
    banner: { js: header },
  });
}
