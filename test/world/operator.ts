/** Runs operators' commands in a world: by the real command line, or by the server of the real console. */
import { nouns } from '../../infra/operate/admin/cli.ts';
import type { CommandResult } from './actors/api.ts';
import { type ConsoleServer, openConsole } from './console.ts';
import { operatorEnvironment } from './deployment.ts';
import { type HttpModule, httpModule, type Network } from './http.ts';
import type { Journal } from './journal.ts';
import type { Packages } from './packages.ts';
import type { Random } from './random.ts';
import type { Bundle, Exports, Sandbox } from './sandbox.ts';
import type { Timeline } from './timeline.ts';

type Output = { out: (text: string) => void; error: (text: string) => void };
type RunCommand = (args: string[], output: Output) => Promise<number>;

type Options = {
  /** The bundle of the command line and the console. */
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

/**
 * Returns a function that runs and records a command. Half of the commands, except exports, run in a long-lived
 * console.
 */
export function createOperator({ timeline, random, journal, trace, ...options }: Options) {
  let commandCount = 0;
  let opened: ConsoleServer | undefined;
  const start = (chance: Random, files: Record<string, string>, http?: Partial<HttpModule>) =>
    startProcess({ ...options, timeline, random: chance }, files, http);
  // `files` maps paths to contents. The command reads these files, and adds those that it writes.
  return async (args: string[], files: Record<string, string> = {}): Promise<CommandResult> => {
    const at = timeline.now();
    const chance = random.fork(`command ${++commandCount}`);
    // Waits for a random time, so that concurrent commands start in random order.
    await timeline.wait(chance.around(500));
    const byConsole = chance.chance(0.5) && !isExport(args);
    if (byConsole && (!opened || chance.chance(0.05)))
      opened = await openConsole((http) => start(chance.fork('console'), {}, http), timeline);
    const result = byConsole
      ? await opened!.run(args, files)
      : await runInTerminal(start(chance, files).exports.runCommand as RunCommand, args);
    trace(`operator ${args.join(' ')}: ${result.exitCode}`);
    journal.operatorCommands.push({ at, args, ...result });
    return result;
  };
}

/**
 * Returns whether a command writes files. Such commands run in a terminal, because the console's page could not read
 * the files.
 */
const isExport = ([noun = '', verb = '']: string[]) => nouns.get(noun)?.verbs[verb]?.effect === 'exports';

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

/**
 * A process on an operator's machine. `enter` activates the process's sandbox. Call it before each request to the
 * process.
 */
export type Process = { exports: Exports; enter: () => void };

type ProcessOptions = Omit<Options, 'journal' | 'trace'>;

function startProcess(
  { operate, packages, shared, timeline, random, network }: ProcessOptions,
  files: Record<string, string>,
  http: Partial<HttpModule> = {},
): Process {
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
    http: { ...httpModule((request, reply) => network(request, busy(reply)), after), ...http },
    resolve: () => Promise.reject(new Error('an operator resolves no names')),
    print: () => {},
    files,
  };
  const enter = () => shared.activate(sandbox);
  enter();
  return { exports: operate({ ...sandbox, packages: shared.of(packages) }), enter };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
