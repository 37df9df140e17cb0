import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A child process that answers each line on its stdin with a line on its stdout. */
export type LineProcess = {
  next: () => Promise<string>;
  ask: (line?: string) => Promise<string>;
  end: () => void;
  kill: () => void;
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
};

/** Starts a script of the folder `test` as a child process, with the Node version of this process. */
export function startProcess(
  file: string,
  args: string[] = [],
  environment: NodeJS.ProcessEnv = {},
): LineProcess {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '..', file), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} ended without an answer`);
    return String(value);
  };
  return {
    next,
    ask: (line = '') => {
      child.stdin!.write(`${line}\n`);
      return next();
    },
    end: () => child.stdin!.end(),
    kill: () => child.kill('SIGKILL'),
    ended: once(child, 'exit'),
  };
}
