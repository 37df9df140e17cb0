/** Runs the tests listed in the environment variable `TESTS` (JSON). */
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
    setupFiles: ['test/mutants/mutated-files.ts', 'test/support/environment.ts'],
    sequence: { setupFiles: 'list', sequencer: ShortestFirst },
    reporters: ['default'],
  },
});
