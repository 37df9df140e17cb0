import type { Reporter, TestModule } from 'vitest/node';

/** Vitest reporter that prints the totals as the last line of output: `120 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
    // Errors in hooks and errors while loading test files also count as failures.
    const around = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = around.flatMap((part) => part.errors()).length + errors.length;
    console.log(`\n${inState('passed')} passed, ${inState('failed') + broken} failed`);
  }
}
