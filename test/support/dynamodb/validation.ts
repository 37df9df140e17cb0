import { type AwsError, awsError } from '../../../infra/develop/local/aws/error.ts';

export const validation = (message: string): AwsError => awsError('ValidationException', message);

/** Throws a ValidationException if a present value is not one of `choices`. */
export function checkChoice(value: unknown, choices: string[]): void {
  if (value === undefined || choices.includes(value as string)) return;
  throw validation(`${value} has to be one of ${choices}`);
}
