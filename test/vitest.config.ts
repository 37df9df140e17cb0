import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isNightly } from './support/nightly.ts';
import { pageAssetsForTests } from './support/page-assets.ts';
import { patienceMs, waitMs } from './support/patience.ts';

const root = join(import.meta.dirname, '..');

// Inherited by the workers: lookups of receivers' names can hang, and each takes a thread, which others wait for.
process.env.UV_THREADPOOL_SIZE = '64';
/** The longest test files start first, so that no processor is idle at the end. */
const slowestFiles = [
  'world/world',
  // Files that sweep over all organizations start early, before other files have created many organizations.
  'amoe/run',
  'infra/develop/local/local-routes',
  'webhooks/outages',
  'infra/operate/admin/erase-user',
  'infra/deploy/stack',
  'browser/real-plays',
];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = slowestFiles.flatMap((name) =>
      files.filter((file) => file.moduleId.endsWith(`/${name}.test.ts`)),
    );
    const others = files.filter((file) => !first.includes(file));
    return [...first, ...(await super.sort(others))];
  }
}

/** The folder whose mutants Stryker tests. */
const folder = process.env.MUTANTS_OF;

export default defineConfig({
  root,
  cacheDir: '.build/vitest',
  plugins: [pageAssetsForTests()],
  test: {
    include: [folder ? `test/${folder}/**/*.test.ts` : 'test/**/*.test.ts'],
    exclude: isNightly ? [] : ['test/**/*.nightly.test.ts'],
    globalSetup: ['test/support/shared-programs.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: waitMs } },
    pool: 'forks',
    maxWorkers: 4,
    // Loads the service's modules once per process, because loading them takes longer than the tests of most files.
    isolate: false,
    reporters: ['default', 'test/support/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
  },
});
