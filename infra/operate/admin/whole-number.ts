import { Problem } from '../../common/problem.ts';

/**
 * The whole number that was typed for an option. Throws a Problem if it is none from 1 to `most`, which names what else
 * could have been typed: `or`.
 */
export function wholeNumber(option: string, typed: string, most: number, or = ''): number {
  const number = Number(typed);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Problem(`--${option} is "${typed}", and must be a whole number from 1 to ${most}${or}.`);
}
