import { Problem } from '../../common/problem.ts';

/**
 * Parses the whole number in the option `option`. Throws a Problem if the number is not from 1 to `most`.
 * `or` names further allowed values in the error's message.
 */
export function wholeNumber(option: string, typed: string, most: number, or = ''): number {
  const number = Number(typed);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Problem(`--${option} must be a whole number from 1 to ${most}${or}, but is "${typed}".`);
}
