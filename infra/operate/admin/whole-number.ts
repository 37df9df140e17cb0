import { Problem } from '../../common/problem.ts';

/**
 * Parses an option's whole number. Throws a Problem if the number is not from 1 to `most`. `or` names other
 * allowed values for the message.
 */
export function wholeNumber(option: string, typed: string, most: number, or = ''): number {
  const number = Number(typed);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Problem(`--${option} must be a whole number from 1 to ${most}${or}, but is "${typed}".`);
}
