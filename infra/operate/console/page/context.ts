import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ShownCommand, ShownCommands } from '../bridge.ts';

/** Context for all components: the stage and its commands. */
export const Commands = createContext<ShownCommands>({ stage: 'local', nouns: {} });

/** Returns the console's stage. */
export const useStage = () => useContext(Commands).stage;

/** Returns a command, or undefined if it does not exist. */
export const useCommand = (noun: string, verb: string): ShownCommand | undefined =>
  useContext(Commands).nouns[noun]?.[verb];

/** Returns a noun's commands by verb. */
export const useVerbs = (noun: string): Record<string, ShownCommand> =>
  useContext(Commands).nouns[noun] ?? {};

/** Props of a view: the selected organization, and the query of the address. */
export type PageProps = { org: string; query: Record<string, string> };
