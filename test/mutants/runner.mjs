// A Stryker test runner: Vitest's, with one process (`kept-process.ts`) for the tests of many mutants. State
// that one mutant leaves in the process must not decide about the next, so that
// - a mutant counts as killed only if the killing test passes without the mutant, in the same process;
// - a mutant counts as survived or timed out only if it does so in a new process, whose caches are empty.
// Plain JavaScript, because Stryker compiles no plugins.
import { readFileSync, writeFileSync } from 'node:fs';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { isInSample } from './sample.ts';

globalThis.testProcess ??= { replace: true };
const { testProcess } = globalThis;
/** Limits the mutants per process, because test data stays in the process and slows down sweeps over the table. */
const mutantsPerProcess = 30;

/** Milliseconds for which a process waited for a processor. 0 where the kernel doesn't tell (not Linux). */
function waitedMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Counts milliseconds, except those in which the test process waits for a processor. Returns `stop`. */
function startClock(onTick) {
  let [pid, waited, now, elapsed] = [0, 0, Date.now(), 0];
  const timer = setInterval(() => {
    const before = { pid, waited, now };
    pid = testProcess.fork?.pid;
    waited = waitedMs(pid);
    now = Date.now();
    elapsed += now - before.now;
    if (pid === before.pid) elapsed -= waited - before.waited;
    onTick?.(elapsed);
  }, 250);
  return () => {
    clearInterval(timer);
    return elapsed;
  };
}

/** File in Stryker's sandbox with the first run's time by `startClock`, as a fraction of its time by the wall clock. */
const fractionFile = 'unhurried.json';

async function dryRun(runner, options) {
  const started = Date.now();
  const stop = startClock();
  const result = await runner.dryRun(options);
  writeFileSync(fractionFile, `${Math.min(1, stop() / (Date.now() - started))}`);
  return result;
}

/**
 * Runs the tests with a mutant. The time limit excludes waits for a processor, because a busy machine would otherwise
 * exceed it even if no test hangs.
 */
async function runTests(runner, options) {
  const testsMs = options.timeout - Number(process.env.MUTANT_SPARE_MS);
  const limitMs = 5000 + testsMs * Number(readFileSync(fractionFile, 'utf8'));
  let timedOut = false;
  const stop = startClock((elapsed) => {
    timedOut = elapsed > limitMs;
    if (timedOut) testProcess.fork?.kill('SIGKILL');
  });
  const result = await runner.mutantRun(options);
  stop();
  if (!timedOut && result.status !== 'timeout') return result;
  testProcess.replace = true;
  return { status: 'timeout', reason: result.reason };
}

async function mutantRun(runner, options) {
  if (!isInSample(options.activeMutant)) return { status: 'error', errorMessage: 'not in the sample' };
  const isStatic = options.mutantActivation === 'static';
  const inNewProcess = async () => {
    Object.assign(testProcess, { replace: true, mutants: 0 });
    const result = await runTests(runner, options);
    // A mutant of code that runs at import stays active in the process, so the next mutant needs a new process.
    testProcess.replace ||= isStatic;
    return result;
  };
  testProcess.mutants = (testProcess.mutants ?? 0) + 1;
  if (isStatic || testProcess.replace || testProcess.mutants > mutantsPerProcess) return inNewProcess();
  const result = await runTests(runner, options);
  if (result.status !== 'killed') return inNewProcess();
  const without = await runTests(runner, {
    ...options,
    testFilter: [result.killedBy].flat(),
    activeMutant: { ...options.activeMutant, id: 'none' },
  });
  return without.status === 'survived' ? result : inNewProcess();
}

function createRunner(injector) {
  const runner = injector.injectFunction(vitestPlugins[0].factory);
  return {
    capabilities: () => runner.capabilities(),
    init: () => runner.init(),
    dryRun: (options) => dryRun(runner, options),
    mutantRun: (options) => mutantRun(runner, options),
    dispose: () => runner.dispose(),
  };
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'kept-process', createRunner)];
