import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ShownCommand, ShownCommands } from '../bridge.ts';

/** What all pages know: the stage and its commands. */
export const Commands = createContext<ShownCommands>({ stage: 'local', nouns: {} });

/** The stage that the console is of. */
export const useStage = () => useContext(Commands).stage;

/** A declared command, or undefined if there is none of this name. */
export const useCommand = (noun: string, verb: string): ShownCommand | undefined =>
  useContext(Commands).nouns[noun]?.[verb];

/** The commands of a noun by their verbs. */
export const useVerbs = (noun: string): Record<string, ShownCommand> =>
  useContext(Commands).nouns[noun] ?? {};

/** What a view is told: the organization that was picked, and the rest of the address. */
export type PageProps = { org: string; query: Record<string, string> };
