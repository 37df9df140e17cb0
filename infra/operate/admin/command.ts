import type { By } from '../../../shared/operations/operation-records.ts';
import type { Stage } from '../../../shared/stage.ts';

/** The effect of a command: it reads the stage, exports to a file on this machine, or changes the stage. */
export type Effect = 'reads' | 'exports' | 'changes';

type Reading = { stage: Stage; now: number };
/**
 * The context of a command. Only commands declared as changing get the operator and the reason, which every
 * change records.
 */
type Contexts = { reads: Reading; exports: Reading; changes: Reading & By };

type Values<Required extends string, Optional extends string, Flag extends string> = {
  [name in Required]: string;
} & { [name in Optional]?: string } & { [name in Flag]?: boolean };

/** A command, `npm run admin -- <noun> <verb>`. The texts of options are placeholders for the help. */
export type Command<
  E extends Effect = Effect,
  Required extends string = string,
  Optional extends string = string,
  Flag extends string = string,
> = {
  summary: string;
  required: Record<Required, string>;
  optional?: Record<Optional, string>;
  /** Options without a value. */
  flags?: readonly Flag[];
  effect: E;
  /** The required option that can be given without its name. */
  bare?: NoInfer<Required>;
  /** Whether `--why` is required. */
  asksWhy?: E extends 'changes' ? boolean : never;
  /** Returns the command's output. Throws a Problem for an error that the operator can fix. */
  run: (values: Values<Required, Optional, Flag>, context: Contexts[E]) => Promise<Outcome>;
};

/** A command's output, as JSON or text. `failed` sets exit code 1 for a command that ran but found a fault. */
export type Outcome = ({ print: unknown } | { text: string }) & { failed?: boolean };

/** Declares a command, with its options typed by name. */
export function command<
  const E extends Effect,
  const Required extends string,
  const Optional extends string = never,
  const Flag extends string = never,
>(made: Command<E, Required, Optional, Flag>): Command {
  return made as unknown as Command;
}

/** The commands of a noun, by verb. Each file in `nouns/` exports them as `verbs`. */
export type Noun = { verbs: Record<string, Command> };
