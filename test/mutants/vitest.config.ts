/** Runs the tests listed in the environment variable `TESTS` (JSON) with a local stage in their process. */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../vitest.config.ts';
import { keepProcess } from './kept-process.ts';

/** Starts the shortest test files first, because most mutants fail the first test that covers them. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

export default defineConfig({
  ...config,
  plugins: [...(config.plugins ?? []), keepProcess()],
  test: {
    ...config.test,
    include: JSON.parse(process.env.TESTS ?? '[]'),
    globalSetup: ['test/support/shared-programs.ts'],
    setupFiles: ['test/mutants/stage-in-process.ts', 'test/support/environment.ts'],
    sequence: { setupFiles: 'list', sequencer: ShortestFirst },
    reporters: ['default'],
  },
});
