/** The check as one file that needs nothing but Node. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { usage } from './cli.ts';

/** What stands above the code, for whoever gets the file. */
const header = `/*
 * Checks the books of days with their records: who made them need not be trusted.
 *
 * node verify.mjs ${usage.replaceAll('*/', '* /').split('\n').join('\n * ')}
 *
 * It needs Node 20.12 or newer and nothing else: no network, no other program, no packages. This file was put together
 * from readable source, and is meant to be read.
 */`;

/** Writes the check with all that it needs into one file, as readable as its source. */
export async function writeBundle(path: string): Promise<void> {
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
