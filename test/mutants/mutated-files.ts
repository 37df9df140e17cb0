/**
 * Loads the mutated files outside of tests. Otherwise Stryker would think that the test which happens to load a file
 * first is the only one that covers its mutants in constants.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import '../support/stage.ts';

const here = globalThis as { mutatedFilesAreLoaded?: boolean };
if (!here.mutatedFilesAreLoaded) {
  here.mutatedFilesAreLoaded = true;
  for (const file of globSync(JSON.parse(process.env.MUTATED ?? '[]') as string[]))
    if (!file.endsWith('/main.ts')) await import(join(process.cwd(), file));
  // The stage's servers would keep the process alive after Stryker ended.
  process.once('disconnect', () => process.kill(process.pid));
}
