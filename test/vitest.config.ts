import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { pageAssetsForTests } from './support/page-assets.ts';
import { patienceMs, waitMs } from './support/patience.ts';

const root = join(import.meta.dirname, '..');
const all = ['test/**/*.test.ts'];
/** Files that set up an AWS client of their own by the environment; a process has one of each, and keeps it. */
const alone = ['faults/open-attempts', 'webhooks/publishing', 'webhooks/retries'].map(
  (file) => `test/${file}.test.ts`,
);

/** What runs longest begins first, so that no processor is idle in the end. Of a fresh clone nothing else is known. */
const longest = [
  'world/world',
  'browser/motion',
  'browser/games',
  'world/steps/steps',
  'infra/bundle',
  'infra/app',
  'infra/local/start',
  'infra/admin/webhooks',
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

const project = (
  name: string,
  files: { include: string[]; exclude?: string[]; isolate: boolean },
): TestProjectInlineConfiguration => ({
  root,
  plugins: [pageAssetsForTests()],
  test: {
    name,
    ...files,
    setupFiles: ['test/support/environment.ts'],
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: waitMs } },
    pool: 'forks',
    maxWorkers: 3,
  },
});

export default defineConfig({
  root,
  cacheDir: '.build/vitest',
  test: {
    globalSetup: ['test/support/local-stage.ts'],
    teardownTimeout: 60_000,
    maxWorkers: 3,
    reporters: ['default', 'test/support/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('alone', { include: alone, isolate: true }),
      // Loading what the service is made of takes longer than most files' tests, and is done once for all of them.
      project('together', { include: all, exclude: alone, isolate: false }),
    ],
  },
});
