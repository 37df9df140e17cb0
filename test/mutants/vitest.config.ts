/** Runs the tests that the environment variable `TESTS` names as a JSON array, with a stage in their own process. */
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
