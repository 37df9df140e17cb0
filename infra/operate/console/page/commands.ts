import { useCallback, useEffect, useState } from 'preact/hooks';
import type { RunRequest, RunResult, ShownCommands } from '../bridge.ts';

export type CommandValues = RunRequest['values'];
// biome-ignore lint/suspicious/noExplicitAny: each page knows what its commands print
export type AnyOutput = any;

async function fetchServer(path: string, body?: unknown): Promise<Response> {
  const sent = { 'content-type': 'application/json', 'x-incentives-page': '1' };
  const init = body === undefined ? {} : { method: 'POST', headers: sent, body: JSON.stringify(body) };
  return fetch(path, init).catch(() => {
    throw new Error('The console is not responding. Is it still running in its terminal?');
  });
}

/** If the server refuses, throws an Error with a message for the operator. */
export async function readCommands(): Promise<ShownCommands> {
  const response = await fetchServer('/commands');
  if (response.ok) return (await response.json()) as ShownCommands;
  throw new Error('Open the link that the console printed when it started.');
}

/** Throws an Error if the server does not respond or refuses. */
export async function runCommand(noun: string, verb: string, values: CommandValues): Promise<RunResult> {
  const filled = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== false),
  );
  const response = await fetchServer('/run', { noun, verb, values: filled });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (response.ok && isJson) return (await response.json()) as RunResult;
  const { message } = isJson ? ((await response.json()) as { message: string }) : { message: '' };
  throw new Error(message || 'The console refused the request. Open its link again.');
}

/** `reload` runs the command again. */
export type CommandRead = {
  output: AnyOutput | undefined;
  message: string | undefined;
  isLoading: boolean;
  reload: () => void;
};

/** Runs a command, and again if `values` change. Undefined `values` run nothing. */
export function useCommandOutput(noun: string, verb: string, values: CommandValues | undefined): CommandRead {
  const [read, setRead] = useState<Omit<CommandRead, 'reload'>>({
    output: undefined,
    message: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const key = values && JSON.stringify(values);
  useEffect(() => {
    if (key === undefined) return setRead({ output: undefined, message: undefined, isLoading: false });
    let isCurrent = true;
    setRead(({ output }) => ({ output, message: undefined, isLoading: true }));
    runCommand(noun, verb, JSON.parse(key) as CommandValues).then(
      (result) => isCurrent && setRead(readOf(result)),
      (error: Error) => isCurrent && setRead({ output: undefined, message: error.message, isLoading: false }),
    );
    return () => {
      isCurrent = false;
    };
  }, [noun, verb, key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...read, reload };
}

function readOf({ output, message, exit_code }: RunResult): Omit<CommandRead, 'reload'> {
  const failed = exit_code !== 0 && output === undefined;
  return { output, message: failed ? (message ?? 'The command failed.') : undefined, isLoading: false };
}

export function commandLine(noun: string, verb: string, values: CommandValues, stage: string): string {
  const options = Object.entries(values).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    if (value === false || value === '') return [];
    return [`--${name} ${/^[\w.:@/+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`];
  });
  return ['npm run admin --', noun, verb, ...options, `--stage ${stage}`].join(' ');
}
