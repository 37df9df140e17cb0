import { styleText } from 'node:util';
import { BadUsage } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';

/** Prints why a command did not start, with its usage if the arguments are wrong, and ends the process. */
export function exitNotStarted(error: unknown, usage: string): never {
  const help = error instanceof BadUsage ? `\n\n${usage}` : '';
  const start = styleText('red', 'Not started.');
  console.error(error instanceof Problem ? `\n${start} ${error.message}${help}\n` : error);
  process.exit(error instanceof BadUsage ? 2 : 1);
}
