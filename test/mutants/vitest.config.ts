/** Runs the tests listed in the environment variable `TESTS` (JSON) with a local stage in their process. */
import { defineConfig } from 'vitest/config';
import config from '../vitest.config.ts';
import { keepProcess } from './kept-process.ts';

export default defineConfig({
  ...config,
  plugins: [...(config.plugins ?? []), keepProcess()],
  test: {
    ...config.test,
    include: JSON.parse(process.env.TESTS ?? '[]'),
    globalSetup: ['test/support/shared-programs.ts'],
    setupFiles: ['test/mutants/stage-in-process.ts', 'test/support/environment.ts'],
    sequence: { setupFiles: 'list' },
    reporters: ['default'],
  },
});
