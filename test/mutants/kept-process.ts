/**
 * A test process that runs the tests of many mutants, so that modules and the stage are loaded once. The
 * Stryker runner (`runner.mjs`), in the same process as Vitest, decides when a mutant needs a new process.
 */
import type { ChildProcess } from 'node:child_process';
import type { Plugin } from 'vitest/config';
import { ForksPoolWorker, type PoolOptions, type WorkerRequest } from 'vitest/node';

/** Field of `globalThis`: the runner sets `replace` to start a new process with the next test run. */
export type TestProcess = { testProcess?: { replace: boolean; fork?: ChildProcess } };
(globalThis as TestProcess).testProcess ??= { replace: true };
const testProcess = (globalThis as TestProcess).testProcess!;

/** The cast is necessary, because Vitest declares the field `fork` private. */
const processOf = (worker: ForksPoolWorker) => (worker as unknown as { fork: ChildProcess }).fork;

type Listener = (...values: unknown[]) => void;

/** A process that confirms Vitest's request to stop but keeps running for the next mutant. Only `end` stops it. */
class KeptProcess extends ForksPoolWorker {
  #started = false;
  #listeners: { event: string; callback: Listener }[] = [];

  override on(event: string, callback: Listener) {
    this.#listeners.push({ event, callback });
    super.on(event, callback);
  }

  override async start() {
    if (!this.#started) await super.start();
    this.#started = true;
    testProcess.fork = processOf(this);
  }

  override send(message: WorkerRequest) {
    if (message.type !== 'stop') return super.send(message);
    const stopped = { type: 'stopped', __vitest_worker_response__: true };
    for (const { event, callback } of this.#listeners) if (event === 'message') callback(stopped);
  }

  override async stop() {
    for (const { event, callback } of this.#listeners.splice(0)) super.off(event, callback);
  }

  async end() {
    await this.stop();
    if (!this.#started) return;
    this.#started = false;
    if (processOf(this).signalCode === null) await super.stop();
  }
}

let current: KeptProcess | undefined;

/** Returns the running process. If the runner has set `replace`, returns a new process that first stops the old one. */
function createPoolWorker(options: PoolOptions) {
  if (current && !testProcess.replace) return current;
  const former = current;
  current = new KeptProcess(options);
  testProcess.replace = false;
  const start = current.start.bind(current);
  current.start = async () => {
    await former?.end();
    await start();
  };
  return current;
}

/** Makes Vitest run all tests in a kept process. Replaces the pool that Stryker sets. */
export const keepProcess = (): Plugin => ({
  name: 'kept-process',
  configureVitest({ project }) {
    project.config.pool = 'kept';
    project.config.poolRunner = { name: 'kept', createPoolWorker };
  },
});
