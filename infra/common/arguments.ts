import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Problem } from './problem.ts';

/** Thrown for wrong arguments: the command ends with exit code 2. */
export class BadUsage extends Problem {}

/** Parses arguments as `parseArgs` does. Throws a BadUsage for unknown options and missing values. */
export function parseOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}

/**
 * Ends the process with the usage, with exit code 0 for `--help`, and with 2 and the message if `read` throws a
 * BadUsage.
 */
export function optionsOrExit<T>(usage: string, read: () => T): T {
  if (process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

/** Typed numbers are matched first, because `Number` also takes `0x1F`, `1e3` and spaces. */
export const wholeNumberPattern = /^-?\d+$/;
const decimal = /^-?\d+(\.\d+)?$/;

/** Throws a BadUsage unless `typed` is a number from `min` to `max`. */
export function parseNumber(option: string, typed: string, [min, max]: readonly [number, number]): number {
  const number = decimal.test(typed) ? Number(typed) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new BadUsage(`${option} must be a number from ${min} to ${max}, but is "${typed}".`);
}

export function parseInteger(
  option: string,
  typed: string,
  [min, max]: readonly [number, number],
  alternatives = '',
): number {
  const number = wholeNumberPattern.test(typed) ? Number(typed) : Number.NaN;
  if (number >= min && number <= max) return number;
  const allowed = `a whole number from ${min} to ${max}${alternatives}`;
  throw new BadUsage(`${option} must be ${allowed}, but is "${typed}".`);
}
