import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  cacheDir: '.build/vitest',
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/local-stage.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', 'test/support/closing-line.ts'],
  },
});
