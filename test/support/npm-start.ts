import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A started `npm start` process: `output` returns its output so far, and `ended` resolves with its exit code. */
export type Started = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

type Options = { args?: string[]; env?: Record<string, string>; script?: string; command?: string[] };

/** Runs a script of `infra` or a command as a process, by default the script of `npm start` on a free port. */
export function npmStart(
  /** The folder of the stage file. */
  folder: string,
  { args = [], env = {}, script = 'develop/local/main.ts', command }: Options = {},
): Started {
  const { AWS_ENDPOINT_URL_DYNAMODB, PUBLIC_URL, ...rest } = process.env;
  const [program = '', ...first] = command ?? [process.execPath, 'infra/node24.mjs', `infra/${script}`];
  const child = spawn(program, [...first, ...args], {
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

/** Stops the process as Ctrl-C does, and waits until it has ended. */
export async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGINT');
  await ended;
}

/** Calls `look` every 20 ms until it returns a value. Throws when the process ends or after 250 s. */
export async function until<T>(look: () => T | undefined | false, started: Started): Promise<T> {
  for (const deadline = Date.now() + 250_000; Date.now() < deadline; ) {
    const found = look();
    if (found) return found;
    if (started.child.exitCode !== null) break;
    await new Promise((proceed) => setTimeout(proceed, 20));
  }
  throw new Error(`not there: ${look}\n${started.output()}`);
}

/** Waits until the stage is ready. Resolves with the stage's URL. */
export const ready = (started: Started): Promise<string> =>
  until(() => /Incentives is running at (\S+) \(ready in [\d.]+ s\)/.exec(started.output())?.[1], started);

/** Waits until the process prints the link to the demo. Resolves with the link. */
export const demoLink = (started: Started): Promise<string> =>
  until(() => /host app.*: (http:\/\/localhost:\d+\/)/.exec(started.output())?.[1], started);
