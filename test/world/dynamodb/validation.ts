import { type AwsError, awsError } from '../../../infra/develop/local/aws/error.ts';

/** The refusal of a request that says something it must not. */
export const validation = (message: string): AwsError => awsError('ValidationException', message);

/** Throws a ValidationException for a field that has none of these values. */
export function checkChoice(value: unknown, choices: string[]): void {
  if (value === undefined || choices.includes(value as string)) return;
  throw validation(`${value} has to be one of ${choices}`);
}
