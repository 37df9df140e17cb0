import { Problem } from '../../common/problem.ts';

/** Parses a whole number from 1 to `max`, or throws a Problem. `or` names further allowed values in the message. */
export function wholeNumber(option: string, typed: string, max: number, or = ''): number {
  const number = Number(typed);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Problem(`--${option} must be a whole number from 1 to ${max}${or}, but is "${typed}".`);
}
