import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ShownCommand, ShownCommands } from '../bridge.ts';

export const Commands = createContext<ShownCommands>({ stage: 'local', nouns: {} });

export const useStage = () => useContext(Commands).stage;

export const useCommand = (noun: string, verb: string): ShownCommand | undefined =>
  useContext(Commands).nouns[noun]?.[verb];

export const useVerbs = (noun: string): Record<string, ShownCommand> =>
  useContext(Commands).nouns[noun] ?? {};

export type PageProps = { org: string; query: Record<string, string> };
