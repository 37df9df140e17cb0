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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
