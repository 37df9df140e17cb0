import type { By } from '../../../shared/operations/operation-records.ts';
import type { Stage } from '../../../shared/stage.ts';

/**
 * The effect of a command: it reads the stage, exports to a file on this machine, or changes something of the
 * stage.
 */
export type Effect = 'reads' | 'exports' | 'changes';

type Reading = { stage: Stage; now: number };
/**
 * The context that a command runs in. Every change needs the operator and the reason for its record, and only a
 * command that is declared as changing gets these.
 */
type Contexts = { reads: Reading; exports: Reading; changes: Reading & By };

type Values<Required extends string, Optional extends string, Flag extends string> = {
  [name in Required]: string;
} & { [name in Optional]?: string } & { [name in Flag]?: boolean };

/** One command, `npm run admin -- <noun> <verb>`; each option comes with the word that stands for its value. */
export type Command<
  E extends Effect = Effect,
  Required extends string = string,
  Optional extends string = string,
  Flag extends string = string,
> = {
  summary: string;
  required: Record<Required, string>;
  optional?: Record<Optional, string>;
  /** Options that have no value. */
  flags?: readonly Flag[];
  effect: E;
  /** The required option that may be given without its name. */
  bare?: NoInfer<Required>;
  /** Whether the operator has to say why. */
  asksWhy?: E extends 'changes' ? boolean : never;
  /** Returns what is printed as JSON. Throws a Problem for what the operator can put right. */
  run: (values: Values<Required, Optional, Flag>, context: Contexts[E]) => Promise<Outcome>;
};

/**
 * What a command prints, as JSON or as the text it is; `failed` makes its exit code 1, though it could do
 * what it was asked for.
 */
export type Outcome = ({ print: unknown } | { text: string }) & { failed?: boolean };

/** Makes a command, its options typed by their names. */
export function command<
  const E extends Effect,
  const Required extends string,
  const Optional extends string = never,
  const Flag extends string = never,
>(made: Command<E, Required, Optional, Flag>): Command {
  return made as unknown as Command;
}

/** A noun's commands by verb: what each file of `nouns/` exports as `verbs`. */
export type Noun = { verbs: Record<string, Command> };
