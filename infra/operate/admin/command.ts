import type { ActionContext } from '../../../shared/actions/action-records.ts';
import type { Stage } from '../../../shared/stage.ts';

/** A command's effect: `reads` only prints, `exports` writes a local file, `changes` changes the stage. */
export type CommandEffect = 'reads' | 'exports' | 'changes';

type Reading = { stage: Stage; now: number };
/** Commands that change the stage also receive the operator and the reason. */
type Contexts = { reads: Reading; exports: Reading; changes: Reading & ActionContext };

type Values<Required extends string, Optional extends string, Flag extends string> = {
  [name in Required]: string;
} & { [name in Optional]?: string } & { [name in Flag]?: boolean };

/**
 * A command of `npm run admin -- <noun> <verb>`. `required` and `optional` map each option to a placeholder for its
 * value.
 */
export type Command<
  E extends CommandEffect = CommandEffect,
  Required extends string = string,
  Optional extends string = string,
  Flag extends string = string,
> = {
  summary: string;
  required: Record<Required, string>;
  optional?: Record<Optional, string>;
  /** Maps a field that errors name to its option, if the names differ. */
  fields?: Record<string, NoInfer<Required | Optional>>;
  flags?: readonly Flag[];
  effect: E;
  /** The required option whose value can be typed without the option's name. */
  positional?: NoInfer<Required>;
  /** Runs without a deployed stack, at this machine's time. */
  withoutStack?: true;
  requiresReason?: E extends 'changes' ? boolean : never;
  /** Throws a Problem for an error that the operator can fix. */
  run: (values: Values<Required, Optional, Flag>, context: Contexts[E]) => Promise<CommandResult>;
};

/**
 * `failed` sets exit code 1 for a fault that the command found, such as an altered record. `text` is printed without
 * --json, and `print` with it.
 */
export type CommandResult = ({ print: unknown; text?: string } | { text: string }) & { failed?: boolean };

export const org = 'organization id';
export const day = 'YYYY-MM-DD';

/** Infers the types of the values that `run` gets from the declared options. */
export function command<
  const E extends CommandEffect,
  const Required extends string,
  const Optional extends string = never,
  const Flag extends string = never,
>(declaration: Command<E, Required, Optional, Flag>): Command {
  return declaration as unknown as Command;
}

/** The commands of one noun, by verb. Each file in `nouns/` exports its commands as `verbs`. */
export type Noun = { verbs: Record<string, Command> };
