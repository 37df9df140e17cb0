/** Runs operators' commands in a world, by the real command line. */

import type { Random } from '../support/random.ts';
import type { CommandResult } from './actors/api.ts';
import { operatorEnvironment } from './deployment.ts';
import { httpModule, type Network } from './http.ts';
import type { Journal } from './journal.ts';
import type { Packages } from './packages.ts';
import type { Bundle, Exports, Sandbox } from './sandbox.ts';
import type { Timeline } from './timeline.ts';

type Output = { out: (text: string) => void; error: (text: string) => void };
type RunCommand = (args: string[], output: Output) => Promise<number>;

type Options = {
  /** The bundle of the command line. */
  operate: Bundle;
  /** The bundle of the command's npm packages. */
  packages: Bundle;
  shared: Packages;
  timeline: Timeline;
  random: Random;
  network: Network;
  journal: Journal;
  trace: (line: string) => void;
};

/** Returns a function that runs and records a command. */
export function createOperator({ timeline, random, journal, trace, ...options }: Options) {
  let commandCount = 0;
  // `files` maps paths to contents. The command reads these files, and adds those that it writes.
  return async (args: string[], files: Record<string, string> = {}): Promise<CommandResult> => {
    const at = timeline.now();
    const chance = random.fork(`command ${++commandCount}`);
    // Waits for a random time, so that concurrent commands start in random order.
    await timeline.wait(chance.around(500));
    const { runCommand } = startProcess({ ...options, timeline, random: chance }, files);
    const result = await runInTerminal(runCommand as RunCommand, args);
    trace(`operator ${args.join(' ')}: ${result.exitCode}`);
    journal.operatorCommands.push({ at, args, ...result });
    return result;
  };
}

async function runInTerminal(runCommand: RunCommand, args: string[]): Promise<CommandResult> {
  const printed: string[] = [];
  const errorLines: string[] = [];
  const output = {
    out: (text: string) => printed.push(text),
    error: (text: string) => errorLines.push(text),
  };
  const exitCode = await runCommand([...args, '--stage', 'staging'], output as unknown as Output);
  return { exitCode, printed: parsed(printed.join('\n') || errorLines.join('\n')) };
}

type ProcessOptions = Omit<Options, 'journal' | 'trace'>;

function startProcess(
  { operate, packages, shared, timeline, random, network }: ProcessOptions,
  files: Record<string, string>,
): Exports {
  const busy =
    <T extends unknown[]>(callback: (...what: T) => void) =>
    (...what: T) => {
      shared.activate(sandbox);
      callback(...what);
    };
  const after: Timeline['after'] = (milliseconds, callback) => timeline.after(milliseconds, busy(callback));
  const sandbox: Sandbox = {
    now: timeline.now,
    after,
    random,
    environment: operatorEnvironment(),
    http: httpModule((request, reply) => network(request, busy(reply)), after),
    resolve: () => Promise.reject(new Error('an operator resolves no names')),
    print: () => {},
    files,
  };
  shared.activate(sandbox);
  return operate({ ...sandbox, packages: shared.of(packages) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
