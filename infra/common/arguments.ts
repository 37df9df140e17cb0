/** Parses the arguments of commands. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Problem } from './problem.ts';

/**
 * An invalid command line. Operators' commands then end with exit code 2, and `npm start` and `npm run hooks` print
 * their usage.
 */
export class BadUsage extends Problem {}

/** Parses arguments as `parseArgs` does. Throws a BadUsage for unknown options and missing values. */
export function argumentsOf<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}

/** Parses a whole number within both bounds. Throws a Problem whose message also names the `alternatives`. */
export function wholeNumber(
  option: string,
  typed: string,
  [min, max]: readonly [number, number],
  alternatives = '',
): number {
  const number = Number(typed);
  if (typed.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
  const allowed = `a whole number from ${min} to ${max}${alternatives}`;
  throw new Problem(`${option} must be ${allowed}, but is "${typed}".`);
}
