/** Runs the simulation or tests in a folder, as separate processes, to catch a planted bug. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The worlds to simulate: first seed, virtual days per world, and total time in seconds. */
export type Worlds = { seed: number; days: number; budgetSeconds: number };
/** What caught a bug: a failed test or a broken rule. `seeds` and `days` count all simulated worlds. */
export type Catch = { rule: string; seed: number; seeds: number; days: number } | { test: string };

// Maximum seconds for a bug's test files, or for a simulation beyond its budget.
const graceSeconds = 240;

/** Simulates seeds until a rule is broken or the time is up. Throws if the simulation itself fails. */
export async function catchBySimulation(folder: string, worlds: Worlds): Promise<Catch | undefined> {
  const end = performance.now() + worlds.budgetSeconds * 1000;
  let seed = worlds.seed;
  for (let left = worlds.budgetSeconds; left > 0; left = (end - performance.now()) / 1000) {
    const { last, isBroken } = await simulate(folder, { ...worlds, seed, budgetSeconds: Math.ceil(left) });
    if (isBroken) {
      const seeds = last.seed - worlds.seed + 1;
      return { rule: last.rule, seed: last.seed, seeds, days: seeds * worlds.days };
    }
    seed = last.seed + 1;
  }
  return undefined;
}

/** Returns the rule that the world of `worlds.seed` breaks, if any. Throws if the simulation itself fails. */
export async function ruleBrokenWith(folder: string, worlds: Worlds): Promise<string | undefined> {
  const { last, isBroken } = await simulate(folder, { ...worlds, budgetSeconds: 0 });
  return isBroken ? last.rule : undefined;
}

type Simulated = { last: { seed: number; rule: string }; isBroken: boolean };

/** Runs `simulate.ts` for `budgetSeconds`; 0 means one world. `last` is the last printed line of JSON. */
async function simulate(folder: string, { seed, days, budgetSeconds }: Worlds): Promise<Simulated> {
  const options = { seed, days, ...(budgetSeconds > 0 ? { seconds: budgetSeconds } : {}) };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const script = ['test/world/simulate.ts', ...args, '--json'];
  const { exitCode, out, error } = await run(folder, script, budgetSeconds + graceSeconds);
  const last = jsonOf(out.trim().split('\n').at(-1) ?? '');
  if (exitCode === 1 && last?.rule) return { last, isBroken: true };
  if (exitCode === 0) return { last: last ?? { seed, rule: '' }, isBroken: false };
  throw new Error(exitCode === undefined ? 'the simulation does not end' : `the simulation fails: ${error}`);
}

/** Runs test files. Returns the first failed test, if any. Throws if the tests could not run. */
export async function catchByTests(folder: string, files: string[]): Promise<Catch | undefined> {
  const report = join(folder, '.build/planted.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...files];
  const reporting = ['--bail=1', '--reporter=json', `--outputFile=${report}`];
  // Shortens the timeout of tests that poll, because a planted bug may prevent the state that they wait for.
  const patience = { TEST_PATIENCE_SECONDS: '60' };
  const { exitCode, error } = await run(folder, [...vitest, ...reporting], graceSeconds, patience);
  if (exitCode === 0) return undefined;
  if (exitCode === undefined) throw new Error('the tests do not end');
  const failed = firstFailure(folder, readFileSync(report, 'utf8'));
  if (failed === undefined) throw new Error(`the tests cannot be run: ${error}`);
  return { test: failed };
}

type Report = {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

/** Returns the first failed test with its file, or only a file that could not be loaded. */
function firstFailure(folder: string, json: string): string | undefined {
  const failed = (JSON.parse(json) as Report).testResults.find(({ status }) => status === 'failed');
  const test = failed?.assertionResults.find(({ status }) => status === 'failed');
  return failed && [failed.name.replace(`${folder}/`, ''), test?.fullName].filter(Boolean).join(': ');
}

type Ran = { exitCode: number | undefined; out: string; error: string };

/** Runs a Node script in its own process group. A script that times out has no exit code. */
function run(folder: string, args: string[], seconds: number, variables: object = {}): Promise<Ran> {
  const env = { ...process.env, ...variables };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, env, detached: true });
    const texts = Promise.all([text(child.stdout), text(child.stderr)]);
    const endAll = () => process.kill(-child.pid!, 'SIGKILL');
    const tooLate = setTimeout(endAll, seconds * 1000);
    child.once('exit', async (code) => {
      clearTimeout(tooLate);
      // Processes that the script has started may still run and hold its output open, so they are killed.
      try {
        endAll();
      } catch {}
      const [out, error] = await texts;
      const said = error.split('\n').find((line) => line.includes('Error')) ?? error;
      resolve({ exitCode: code ?? undefined, out, error: said });
    });
  });
}

function jsonOf(line: string): Simulated['last'] | undefined {
  try {
    return JSON.parse(line) as Simulated['last'];
  } catch {
    return undefined;
  }
}
