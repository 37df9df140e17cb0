import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { pageAssetsForTests } from './support/page-assets.ts';
import { patienceMs, waitMs } from './support/patience.ts';

const root = join(import.meta.dirname, '..');
/** What runs longest begins first, so that no processor is idle in the end. Of a fresh clone nothing else is known. */
const longest = [
  'world/world',
  'browser/motion',
  'browser/games',
  'client/guides',
  'browser/docs',
  'browser/console',
  'browser/demo',
  'world/steps/steps',
  'infra/deploy/bundle',
  'infra/deploy/app',
  'infra/develop/local/start',
  'infra/deploy/restore',
  'infra/operate/admin/erase-user',
  'infra/operate/admin/webhooks',
  'browser/lost-connections',
];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = longest.flatMap((name) =>
      files.filter((file) => file.moduleId.endsWith(`/${name}.test.ts`)),
    );
    const others = files.filter((file) => !first.includes(file));
    return [...first, ...(await super.sort(others))];
  }
}

export default defineConfig({
  root,
  cacheDir: '.build/vitest',
  plugins: [pageAssetsForTests()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/local-stage.ts', 'test/support/shared-programs.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: waitMs } },
    pool: 'forks',
    maxWorkers: 3,
    // Loading what the service is made of takes longer than most files' tests, and is done once for all of them.
    isolate: false,
    reporters: ['default', 'test/support/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
  },
});
