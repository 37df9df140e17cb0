/** Runs the simulation in a folder, as a separate process, to catch a planted bug. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** The worlds to simulate: first seed, number of seeds, and virtual days of each world. */
export type Worlds = { seed: number; seeds: number; days: number };
/** The rule that a seed broke, and the number of seeds simulated until then. */
export type Catch = { rule: string; seed: number; seeds: number };

const maxSecondsPerWorld = 300;

/**
 * Simulates one seed after another until a rule is broken. Returns undefined if all rules hold. Throws if the
 * simulation itself fails.
 */
export async function catchBySimulation(folder: string, worlds: Worlds): Promise<Catch | undefined> {
  const args = Object.entries(worlds).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const script = ['test/world/simulate.ts', ...args, '--json'];
  const { exitCode, out, error } = await run(folder, script, worlds.seeds * maxSecondsPerWorld);
  const last = jsonOf(out.trim().split('\n').at(-1) ?? '');
  if (exitCode === 1 && last?.rule) return { ...last, seeds: last.seed - worlds.seed + 1 };
  if (exitCode === 0) return undefined;
  throw new Error(exitCode === undefined ? 'the simulation does not end' : `the simulation fails: ${error}`);
}

/** Returns the rule that the world of one seed breaks, or undefined. */
export async function ruleBrokenWith(folder: string, worlds: Worlds): Promise<string | undefined> {
  return (await catchBySimulation(folder, { ...worlds, seeds: 1 }))?.rule;
}

type RunResult = { exitCode: number | undefined; out: string; error: string };

/** Runs a script in its own process group. Kills the group after `seconds`; the exit code is then undefined. */
function run(folder: string, args: string[], seconds: number): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, detached: true });
    const texts = Promise.all([text(child.stdout), text(child.stderr)]);
    const endAll = () => process.kill(-child.pid!, 'SIGKILL');
    const tooLate = setTimeout(endAll, seconds * 1000);
    child.once('exit', async (code) => {
      clearTimeout(tooLate);
      // Kills the script's remaining child processes. They may hold the output open, so that `texts` would not resolve.
      try {
        endAll();
      } catch {}
      const [out, error] = await texts;
      const firstError = error.split('\n').find((line) => line.includes('Error')) ?? error;
      resolve({ exitCode: code ?? undefined, out, error: firstError });
    });
  });
}

function jsonOf(line: string): { seed: number; rule: string } | undefined {
  try {
    const { seed, rule } = JSON.parse(line);
    return { seed, rule };
  } catch {
    return undefined;
  }
}
