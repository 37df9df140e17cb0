/** Runs the real `admin` command line in a world, with a simulated network, files and clock. */

import type { CommandResult } from './actors/api.ts';
import { operatorEnvironment } from './deployment.ts';
import { httpModule, type Network } from './http.ts';
import type { Journal } from './journal.ts';
import type { Packages } from './packages.ts';
import type { Random } from './random.ts';
import type { Bundle, Sandbox } from './sandbox.ts';
import type { Timeline } from './timeline.ts';

type Output = { out: (text: string) => void; error: (text: string) => void };
type RunCommand = (args: string[], output: Output) => Promise<number>;

type Options = {
  admin: Bundle;
  /** The bundle of the command's npm packages. */
  packages: Bundle;
  shared: Packages;
  timeline: Timeline;
  random: Random;
  network: Network;
  journal: Journal;
  trace: (line: string) => void;
};

/**
 * Returns a function that runs and records an `admin` command. `files` maps paths of input files to contents.
 */
export function createOperator({ timeline, random, journal, trace, ...options }: Options) {
  let commandCount = 0;
  return async (args: string[], files: Record<string, string> = {}): Promise<CommandResult> => {
    const at = timeline.now();
    const chance = random.fork(`command ${++commandCount}`);
    // Waits for a random time, so that concurrent commands start in random order.
    await timeline.wait(chance.around(500));
    const runCommand = startCommand(files, { ...options, timeline, random: chance });
    const printed: string[] = [];
    const errorLines: string[] = [];
    const output = {
      out: (text: string) => printed.push(text),
      error: (text: string) => errorLines.push(text),
    };
    const exitCode = await runCommand([...args, '--stage', 'staging'], output as unknown as Output);
    const result = { exitCode, printed: parsed(printed.join('\n') || errorLines.join('\n')) };
    trace(`operator ${args.join(' ')}: ${exitCode}`);
    journal.operatorCommands.push({ at, args, ...result });
    return result;
  };
}

type ProcessOptions = Omit<Options, 'journal' | 'trace'>;

function startCommand(
  files: Record<string, string>,
  { admin, packages, shared, timeline, random, network }: ProcessOptions,
): RunCommand {
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
    file: (path) => files[path],
  };
  shared.activate(sandbox);
  return admin({ ...sandbox, packages: shared.of(packages) }).runCommand as RunCommand;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
