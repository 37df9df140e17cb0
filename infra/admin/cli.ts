import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Stage } from '../../shared/stage.ts';
import { stages } from '../stages.ts';
import type { Command, Noun } from './command.ts';
import { explain } from './explain.ts';
import { useStage } from './use-stage.ts';

const stageNames: Stage[] = ['local', ...(Object.keys(stages) as (keyof typeof stages)[])];

/** The command was not understood. */
class BadUsage extends Error {}

/** Where a command's JSON and all that is said beside it go. */
export type Console = { out: (text: string) => void; error: (text: string) => void };

/** Runs a command and answers its exit code: 1 for a failure, 2 for bad usage. */
export async function runCommand(args: string[], console: Console): Promise<number> {
  try {
    return await run(args, console);
  } catch (error) {
    console.error(error instanceof BadUsage ? error.message : explain(error));
    return error instanceof BadUsage ? 2 : 1;
  }
}

async function run(args: string[], console: Console): Promise<number> {
  const nouns = await readNouns();
  const [noun = '', verb = '', ...rest] = args;
  if (noun === 'help' || args.includes('--help') || args.includes('-h')) {
    console.error(
      usage(
        nouns,
        args.find((arg) => nouns.has(arg)),
      ),
    );
    return 0;
  }
  const verbs = nouns.get(noun);
  if (!verbs) throw new BadUsage(`${noun ? `There is no "${noun}".` : 'Say what to do.'}\n\n${usage(nouns)}`);
  const found = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!found) throw new BadUsage(`There is no "${noun} ${verb}".\n\n${usage(nouns, noun)}`);
  const { stage, ...values } = optionsOf(found, rest);
  const chosen = stageNames.find((name) => name === stage);
  if (!chosen) throw new BadUsage(`There is no stage "${stage}": it is one of ${stageNames.join(', ')}.`);
  await useStage(chosen, console.error);
  const { print, failed } = await found.run(values, { stage: chosen, now: Date.now() });
  console.out(JSON.stringify(print, null, 2));
  return failed ? 1 : 0;
}

/** Each file of `nouns/` is a noun. */
async function readNouns(): Promise<Map<string, Noun['verbs']>> {
  const folder = join(import.meta.dirname, 'nouns');
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const nouns = files.map(async (file) => {
    const { verbs }: Noun = await import(join(folder, file));
    return [file.replace(/\.ts$/, ''), verbs] as const;
  });
  return new Map(await Promise.all(nouns));
}

function optionsOf({ required, optional = {}, bare }: Command, args: string[]) {
  const names = ['stage', ...Object.keys(required), ...Object.keys(optional)];
  const values = parsed(args, names, bare);
  for (const name of ['stage', ...Object.keys(required)]) {
    if (values[name] === undefined) throw new BadUsage(`--${name} is missing.`);
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw new BadUsage(`--${name} is empty.`);
  }
  return values as { stage: string } & Record<string, string>;
}

function parsed(args: string[], names: string[], bare?: string): Record<string, string | undefined> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const { values, positionals } = parseArgs({ args, options, allowPositionals: bare !== undefined });
    if (positionals.length > 1) throw new Error(`Unexpected "${positionals[1]}".`);
    return { ...(bare ? { [bare]: positionals[0] } : {}), ...values };
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}

function usage(nouns: Map<string, Noun['verbs']>, only?: string): string {
  const commands = [...nouns]
    .filter(([noun]) => only === undefined || noun === only)
    .flatMap(([noun, verbs]) => Object.entries(verbs).map(([verb, command]) => lineOf(noun, verb, command)));
  return `Commands, each with --stage ${stageNames.join('|')}:\n\n${commands.join('\n')}`;
}

function lineOf(noun: string, verb: string, { summary, required, optional = {}, bare }: Command): string {
  const options = [
    ...Object.entries(required).map(([name, value]) =>
      name === bare ? `<${value}>` : `--${name} <${value}>`,
    ),
    ...Object.entries(optional).map(([name, value]) => `[--${name} <${value}>]`),
  ];
  return `  npm run admin -- ${[noun, verb, ...options].join(' ')}\n      ${summary}`;
}
