import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run's output with its numbers on a line alone: `120 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
    // What fails outside of any test, such as a file that cannot be loaded or a hook, is a failure too.
    const around = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = around.flatMap((part) => part.errors()).length + errors.length;
    console.log(`\n${inState('passed')} passed, ${inState('failed') + broken} failed`);
  }
}
