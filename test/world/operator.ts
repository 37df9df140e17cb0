/** The operator's command line in a world: the real one, with a network, files and a clock of the world. */

import { operatorEnvironment } from './deployment.ts';
import { httpModule, type Network } from './http.ts';
import type { CommandResult } from './inhabitants/surroundings.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';
import type { Bundle } from './realm.ts';
import type { Timeline } from './timeline.ts';

type Output = { out: (text: string) => void; error: (text: string) => void };
type RunCommand = (args: string[], output: Output) => Promise<number>;

type Options = {
  admin: Bundle;
  timeline: Timeline;
  random: Random;
  network: Network;
  journal: Journal;
  trace: (line: string) => void;
};

/** Runs a command as a process of its own, and notes it in the journal. Files are given by their names. */
export function createOperator({ admin, timeline, random, network, journal, trace }: Options) {
  return async (args: string[], files: Record<string, string> = {}): Promise<CommandResult> => {
    const at = timeline.now();
    const { runCommand } = admin({
      now: timeline.now,
      after: timeline.after,
      random: random.fork(`command ${journal.operatorCommands.length} ${at}`),
      environment: operatorEnvironment(),
      http: httpModule(network, timeline.after),
      resolve: () => Promise.reject(new Error('an operator resolves no names')),
      print: () => {},
      file: (path) => files[path],
    }) as { runCommand: RunCommand };
    const printed: string[] = [];
    const told: string[] = [];
    const output = { out: (text: string) => printed.push(text), error: (text: string) => told.push(text) };
    const exitCode = await runCommand([...args, '--stage', 'staging'], output as unknown as Output);
    const result = { exitCode, printed: parsed(printed.join('\n') || told.join('\n')) };
    trace(`operator ${args.join(' ')}: ${exitCode}`);
    journal.operatorCommands.push({ at, args, ...result });
    return result;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
