import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A running `npm start` process, and its output so far. */
export type Started = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

/** Starts `npm start` as a process on a free port, with its stage file in a folder. */
export function npmStart(
  folder: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Started {
  const { AWS_ENDPOINT_URL_DYNAMODB, PUBLIC_URL, ...rest } = process.env;
  const child = spawn(process.execPath, ['infra/node24.mjs', 'infra/develop/local/main.ts', ...args], {
    cwd: root,
    env: { ...rest, PORT: '0', LOCAL_STAGE_FOLDER: folder, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => text, ended };
}

/** Sends Ctrl-C and waits for the process to end. */
export async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGINT');
  await ended;
}

/** Repeats `look` until it returns a value. Throws if the process ends first. */
export async function until<T>(look: () => T | undefined | false, started: Started): Promise<T> {
  for (const deadline = Date.now() + 250_000; Date.now() < deadline; ) {
    const found = look();
    if (found) return found;
    if (started.child.exitCode !== null) break;
    await new Promise((proceed) => setTimeout(proceed, 20));
  }
  throw new Error(`not there: ${look}\n${started.output()}`);
}

/** Resolves with the stage's URL when the stage is ready. */
export const ready = (started: Started): Promise<string> =>
  until(() => /Incentives is running at (\S+) \(ready in [\d.]+ s\)/.exec(started.output())?.[1], started);

/** Resolves with the link to the demo. */
export const demoLink = (started: Started): Promise<string> =>
  until(() => /host app.*: (http:\/\/localhost:\d+\/)/.exec(started.output())?.[1], started);
