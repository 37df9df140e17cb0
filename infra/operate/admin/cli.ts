import { Refusal } from '../../../shared/refusals.ts';
import { escapeControlsInLines } from '../../../shared/spelled-out.ts';
import type { Stage } from '../../../shared/stage.ts';
import { BadUsage, parseOptions } from '../../common/arguments.ts';
import { stages } from '../../deploy/stages.ts';
import type { Command, CommandResult, Noun } from './command.ts';
import { explainError } from './explain-error.ts';
import * as audit from './nouns/audit.ts';
import * as book from './nouns/book.ts';
import * as drawing from './nouns/drawing.ts';
import * as explain from './nouns/explain.ts';
import * as game from './nouns/game.ts';
import * as key from './nouns/key.ts';
import * as org from './nouns/org.ts';
import * as page from './nouns/page.ts';
import * as play from './nouns/play.ts';
import * as prize from './nouns/prize.ts';
import * as promotion from './nouns/promotion.ts';
import * as report from './nouns/report.ts';
import * as stage from './nouns/stage.ts';
import * as user from './nouns/user.ts';
import * as webhooks from './nouns/webhooks.ts';
import { readOperator } from './operator.ts';
import { requireOrganization } from './organization.ts';
import { readServiceTime } from './service-time.ts';
import { enterStage } from './use-stage.ts';

/** All commands, by the noun in `npm run admin -- <noun> <verb>`. */
export const nouns = new Map<string, Noun>(
  Object.entries({
    audit,
    book,
    drawing,
    explain,
    game,
    key,
    org,
    page,
    play,
    prize,
    promotion,
    report,
    stage,
    user,
    webhooks,
  }),
);

/** The allowed values of `--stage`. */
export const stageNames: Stage[] = ['local', ...(Object.keys(stages) as (keyof typeof stages)[])];

/** `out` prints a command's output, which already ends with a newline. `error` prints a message and a newline. */
export type OutputStreams = { out: (text: string) => void; error: (text: string) => void };

export const terminal: OutputStreams = { out: (text) => process.stdout.write(text), error: console.error };

export async function runCommand(args: string[], output: OutputStreams, enter = enterStage): Promise<number> {
  try {
    return await run(args, output, enter);
  } catch (error) {
    output.error(escapeControlsInLines(explainError(error)));
    const isInvalid =
      error instanceof BadUsage || (error instanceof Refusal && error.code === 'validation_failed');
    return isInvalid ? 2 : 1;
  }
}

async function run(args: string[], output: OutputStreams, enter: typeof enterStage): Promise<number> {
  const [noun = ''] = args;
  // The command `explain` has no verb.
  const [verb = '', ...rest] = nouns.get(noun)?.verbs[''] ? ['', ...args.slice(1)] : args.slice(1);
  if (noun === 'help' && verb && !verb.startsWith('-') && !nouns.has(verb))
    throw new BadUsage(`There is no command "${verb}".\n\n${usage()}`);
  if (noun === 'help' || args.includes('--help') || args.includes('-h')) {
    output.out(`${usage(args.find((arg) => nouns.has(arg)))}\n`);
    return 0;
  }
  const verbs = nouns.get(noun)?.verbs;
  if (!verbs)
    throw new BadUsage(`${noun ? `There is no command "${noun}".` : 'Name a command.'}\n\n${usage()}`);
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const unknown = verb ? `There is no command "${noun} ${verb}".` : `Name a command of "${noun}".`;
  if (!command) throw new BadUsage(`${unknown}\n\n${usage(noun)}`);
  const { stage, why, json = false, ...values } = optionsOf(command, rest, lineOf(noun, verb, command));
  const chosen = stageNames.find((name) => name === stage);
  if (!chosen) throw new BadUsage(`There is no stage "${stage}". Choose one of: ${stageNames.join(', ')}.`);
  if (!command.withoutStack) await enter(chosen, output.error);
  const now = command.withoutStack ? Date.now() : await readServiceTime();
  const request = { stage: chosen, now, readAt: Date.now() };
  if (values.org !== undefined) await requireOrganization(values.org);
  const isChange = command.effect === 'changes';
  const context = isChange ? { ...request, operator: await readOperator(chosen), why } : request;
  const outcome: CommandResult = await command.run(values, context).catch((error: unknown) => {
    throw namingOption(error, command);
  });
  output.out(textOf(outcome, json));
  return outcome.failed ? 1 : 0;
}

// Maximum length of an option's value in characters, enough for a URL. `maxLengths` has lower limits for some options.
const maxValueLength = 2048;
const maxLengths: Record<string, number> = { why: 500, name: 100, once: 255, prize: 200, 'prize-es': 200 };

/** With `json`, wraps even text output in JSON. */
function textOf(outcome: CommandResult, json: boolean): string {
  const { text } = outcome;
  if (text !== undefined && !json) return text.split('\r\n').map(escapeControlsInLines).join('\r\n');
  const print = 'print' in outcome ? outcome.print : { text };
  return `${escapeControlsInLines(JSON.stringify(print, null, 2))}\n`;
}

function optionsOf(
  { effect, required, optional = {}, flags = [], positional, requiresReason }: Command,
  args: string[],
  usageLine: string,
) {
  const why = effect === 'changes' ? ['why'] : [];
  const names = ['stage', ...why, ...Object.keys(required), ...Object.keys(optional)];
  const values = orUsage(usageLine, () => parsed(args, names, ['json', ...flags], positional));
  if (values.stage === undefined)
    throw new BadUsage(`--stage is missing. Choose one of: ${stageNames.join(', ')}.`);
  for (const name of Object.keys(required)) {
    if (values[name] === undefined) throw new BadUsage(`--${name} is missing.`);
  }
  if (requiresReason && values.why === undefined)
    throw new BadUsage('--why is missing. Give the reason in a few words; it is recorded.');
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue;
    if (value.trim() === '') throw new BadUsage(`--${name} is empty.`);
    const maxLength = maxLengths[name] ?? maxValueLength;
    if (value.length > maxLength)
      throw new BadUsage(`--${name} is too long: the limit is ${maxLength} characters.`);
    // Rejects unpaired UTF-16 surrogates, because the table would store another character instead.
    if (!value.isWellFormed()) throw new BadUsage(`--${name} contains an invalid Unicode character.`);
  }
  return values as { stage: string; why?: string; json?: boolean } & Record<string, string> &
    Record<string, boolean>;
}

/** Adds the usage line to a BadUsage that `parse` throws. */
function orUsage<T>(usageLine: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof BadUsage ? new BadUsage(`${error.message}\n\n${usageLine}`) : error;
  }
}

/** If an error refuses a field that an option sets, returns an error that names the option instead of the field. */
function namingOption(error: unknown, { required, optional = {}, fields = {} }: Command): unknown {
  if (!(error instanceof Refusal) || error.code !== 'validation_failed') return error;
  const [field = ''] = /^[a-z_]+/.exec(error.message) ?? [];
  const option = fields[field] ?? field.replaceAll('_', '-');
  if (!(option in required) && !(option in optional)) return error;
  return new BadUsage(`--${option}${error.message.slice(field.length)}`);
}

function parsed(
  args: string[],
  names: string[],
  flags: readonly string[],
  bare?: string,
): Record<string, string | boolean | undefined> {
  const typed = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  const options = Object.fromEntries([...names.map(typed('string')), ...flags.map(typed('boolean'))]);
  const config = { args: withNegatives(args), options, allowPositionals: bare !== undefined };
  const { values, positionals } = parseOptions(config);
  if (positionals.length > 1) throw new BadUsage(`Unexpected "${positionals[1]}".`);
  return { ...(bare ? { [bare]: positionals[0] } : {}), ...(values as Record<string, string | boolean>) };
}

/**
 * Joins each negative number to the preceding option (`--amount=-5`), because `parseArgs` would parse `-5` as an
 * option.
 */
function withNegatives(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const isValue = /^-\d/.test(arg) && joined.at(-1)?.startsWith('--');
    joined.push(isValue ? `${joined.pop()}=${arg}` : arg);
  }
  return joined;
}

function usage(only?: string): string {
  const commands = [...nouns]
    .filter(([noun]) => only === undefined || noun === only)
    .flatMap(([noun, { verbs }]) =>
      Object.entries(verbs).map(([verb, command]) => lineOf(noun, verb, command)),
    );
  return `Each command takes --stage ${stageNames.join('|')}. Commands that change something take --why "…", which is recorded. --json prints all output as JSON.\n\n${commands.join('\n')}`;
}

function lineOf(noun: string, verb: string, command: Command): string {
  const { summary, required, optional = {}, flags = [], positional, requiresReason } = command;
  const options = [
    ...Object.entries(required).map(([name, value]) =>
      name === positional ? `<${value}>` : `--${name} <${value}>`,
    ),
    ...Object.entries(optional).map(([name, value]) => `[--${name} <${value}>]`),
    ...flags.map((name) => `[--${name}]`),
    ...(requiresReason ? ['--why <reason>'] : []),
  ];
  return `  npm run admin -- ${[noun, verb, ...options].filter(Boolean).join(' ')}\n      ${summary}`;
}
