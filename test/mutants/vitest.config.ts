/**
 * Runs the tests listed in the environment variable `TESTS` (a JSON array), with a local stage in the tests'
 * own process.
 */
import { defineConfig } from 'vitest/config';
import config from '../vitest.config.ts';

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: JSON.parse(process.env.TESTS ?? '[]'),
    globalSetup: ['test/support/shared-programs.ts'],
    setupFiles: ['test/mutants/stage-in-process.ts', 'test/support/environment.ts'],
    sequence: { setupFiles: 'list' },
    reporters: ['default'],
  },
});
