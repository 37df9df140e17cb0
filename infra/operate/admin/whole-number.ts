import { Problem } from '../../common/problem.ts';

/** Parses a whole number from 1 to `max`, or throws a Problem whose message also names the `alternatives`. */
export function wholeNumber(option: string, typed: string, max: number, alternatives = ''): number {
  const number = Number(typed);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Problem(`--${option} must be a whole number from 1 to ${max}${alternatives}, but is "${typed}".`);
}
