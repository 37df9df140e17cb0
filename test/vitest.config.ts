import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { pageAssetsForTests } from './support/page-assets.ts';

const root = join(import.meta.dirname, '..');
const all = ['test/**/*.test.ts'];
/** Files that set up an AWS client of their own by the environment; a process has one of each, and keeps it. */
const alone = ['faults/open-attempts', 'webhooks/publishing', 'webhooks/retries'].map(
  (file) => `test/${file}.test.ts`,
);

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
    // Generous: how long anything takes says nothing here, and the machine may be busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 280_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});

export default defineConfig({
  root,
  cacheDir: '.build/vitest',
  test: {
    globalSetup: ['test/support/local-stage.ts'],
    teardownTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', 'test/support/closing-line.ts'],
    projects: [
      project('alone', { include: alone, isolate: true }),
      // Loading what the service is made of takes longer than most files' tests, and is done once for all of them.
      project('together', { include: all, exclude: alone, isolate: false }),
    ],
  },
});
