import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { pageAssetsForTests } from './support/page-assets.ts';

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  cacheDir: '.build/vitest',
  plugins: [pageAssetsForTests()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/local-stage.ts'],
    // What functions log is for operators; a test looks at what they answer.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
    // Generous: how long anything takes says nothing here, and the machine may be busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 280_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', 'test/support/closing-line.ts'],
  },
});
