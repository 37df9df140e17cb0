/** Runs commands for the page by the command line's own code, with its checks and limits. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Stage } from '../../../shared/stage.ts';
import { inTemporaryFolder } from '../../../shared/temporary-folder.ts';
import { Problem } from '../../common/problem.ts';
import { nouns, runCommand } from '../admin/cli.ts';
import type { Command, CommandEffect } from '../admin/command.ts';

/** `required` and `optional` map each option to a placeholder for its value. */
export type ShownCommand = {
  summary: string;
  required: Record<string, string>;
  optional: Record<string, string>;
  flags: readonly string[];
  effect: CommandEffect;
};
export type ShownCommands = { stage: Stage; nouns: Record<string, Record<string, ShownCommand>> };

export function shownCommands(stage: Stage): ShownCommands {
  const shown = [...nouns].map(([noun, { verbs }]) => {
    const commands = Object.entries(verbs).map(([verb, command]) => [verb, shownCommand(command)]);
    return [noun, Object.fromEntries(commands)];
  });
  return { stage, nouns: Object.fromEntries(shown) };
}

const shownCommand = ({ summary, required, optional = {}, flags = [], effect }: Command) =>
  ({ summary, required, optional, flags, effect }) satisfies ShownCommand;

/** File options contain the file's text, not its path. */
export const runRequestSchema = z.object({
  noun: z.string().check(z.maxLength(40)),
  verb: z.string().check(z.maxLength(40)),
  values: z.record(z.string().check(z.maxLength(40)), z.union([z.boolean(), z.string()])),
});
export type RunRequest = z.output<typeof runRequestSchema>;

export type RunResult = { exit_code: number; output?: unknown; message?: string };

export async function runShownCommand(stage: Stage, { noun, verb, values }: RunRequest): Promise<RunResult> {
  const verbs = nouns.get(noun)?.verbs ?? {};
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!command) return { exit_code: 2, message: `There is no command "${noun} ${verb}".` };
  return inTemporaryFolder(async (folder) => {
    const options = await optionsOf(command, values, folder);
    return run([noun, verb, ...options, '--stage', stage, '--json']);
  }).catch((error: unknown) => {
    if (error instanceof Problem) return { exit_code: 2, message: error.message };
    throw error;
  });
}

async function run(args: string[]): Promise<RunResult> {
  let printed = '';
  let message = '';
  const output = {
    out: (text: string) => {
      printed += text;
    },
    error: (text: string) => {
      message = text;
    },
  };
  // Sets no environment variables, because the console has already set the variables of its stage.
  const exit_code = await runCommand(args, output, async () => {});
  return { exit_code, ...(printed && { output: JSON.parse(printed) }), ...(message && { message }) };
}

/** Throws a Problem for unknown options, and for folder options, which only the command line accepts. */
async function optionsOf(command: Command, values: RunRequest['values'], folder: string): Promise<string[]> {
  const why = command.effect === 'changes' ? { why: 'reason' } : {};
  const words: Record<string, string> = { ...why, ...command.required, ...command.optional };
  const options: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const word = Object.hasOwn(words, name) ? words[name] : undefined;
    if (word === undefined && !command.flags?.includes(name))
      throw new Problem(`There is no option --${name}.`);
    if (word?.endsWith('folder')) throw new Problem(`--${name} works only on the command line.`);
    if (typeof value === 'boolean') options.push(...(value ? [`--${name}`] : []));
    else if (word?.endsWith('file')) options.push(`--${name}=${await fileOf(folder, name, value)}`);
    else options.push(`--${name}=${value}`);
  }
  return options;
}

async function fileOf(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
