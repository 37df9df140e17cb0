import type { Reporter, TestModule } from 'vitest/node';

/** Reporter that prints the totals on the last line: `120 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
    // Counts errors in hooks and during file loading as failures.
    const around = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = around.flatMap((part) => part.errors()).length + errors.length;
    console.log(`\n${inState('passed')} passed, ${inState('failed') + broken} failed`);
  }
}
