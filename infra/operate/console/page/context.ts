import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ShownCommand, ShownCommands } from '../bridge.ts';

export const CommandsContext = createContext<ShownCommands>({ stage: 'local', nouns: {} });

export const useStage = () => useContext(CommandsContext).stage;

export const useCommand = (noun: string, verb: string): ShownCommand | undefined =>
  useContext(CommandsContext).nouns[noun]?.[verb];

export const useVerbs = (noun: string): Record<string, ShownCommand> =>
  useContext(CommandsContext).nouns[noun] ?? {};

export type PageProps = { org: string; query: Record<string, string> };
