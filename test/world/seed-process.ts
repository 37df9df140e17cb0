import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** Result of one seed. `rule` is the broken rule. */
export type Result = {
  seed: number;
  seconds: number;
  hash: string;
  rule?: string;
  detail?: string;
};

/**
 * Runs `npm run simulate` in a separate process, which ends after the first broken rule. Calls `onResult` after each
 * seed. Returns all results until `timeout` (milliseconds). Throws if the simulation itself fails.
 */
export async function simulateInProcess(
  args: string[],
  onResult: (result: Result) => void = () => {},
  timeout?: number,
): Promise<Result[]> {
  const script = join(import.meta.dirname, 'simulate.ts');
  const child = spawn(process.execPath, [script, '--json', ...args], { timeout });
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  const results: Result[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const result: Result = JSON.parse(line);
    results.push(result);
    onResult(result);
  }
  const [exitCode] = await closed;
  if (exitCode === null) return results;
  if (exitCode !== 0 && !results.at(-1)?.rule) throw new Error(await errors);
  return results;
}
