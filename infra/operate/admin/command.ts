import type { Stage } from '../../../shared/stage.ts';

/** What a command gets beside its options: among them who runs it, and why, for the records of what it changes. */
export type Context = { stage: Stage; now: number; operator: string; why?: string | undefined };

type Values<Required extends string, Optional extends string, Flag extends string> = {
  [name in Required]: string;
} & { [name in Optional]?: string } & { [name in Flag]?: boolean };

/** One command, `npm run admin -- <noun> <verb>`; each option comes with the word that stands for its value. */
export type Command<
  Required extends string = string,
  Optional extends string = string,
  Flag extends string = string,
> = {
  summary: string;
  required: Record<Required, string>;
  optional?: Record<Optional, string>;
  /** Options that have no value. */
  flags?: readonly Flag[];
  /** Whether it changes nothing: the console runs it without asking. */
  readOnly?: boolean;
  /** The required option that may be given without its name. */
  bare?: NoInfer<Required>;
  /** Whether the operator has to say why. */
  asksWhy?: boolean;
  /** Returns what is printed as JSON. Throws a Problem for what the operator can put right. */
  run: (values: Values<Required, Optional, Flag>, context: Context) => Promise<Outcome>;
};

/** What a command prints, as JSON or as the text it is; `failed` makes its exit code 1, though it could do what it was asked for. */
export type Outcome = ({ print: unknown } | { text: string }) & { failed?: boolean };

/** Makes a command, its options typed by their names. */
export function command<
  const Required extends string,
  const Optional extends string = never,
  const Flag extends string = never,
>(made: Command<Required, Optional, Flag>): Command {
  return made as unknown as Command;
}

/** A noun's commands by verb: what each file of `nouns/` exports as `verbs`. */
export type Noun = { verbs: Record<string, Command> };
