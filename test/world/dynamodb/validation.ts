import { type AwsError, awsError } from '../../../infra/local/aws/error.ts';

/** The refusal of a request that says something it must not. */
export const validation = (message: string): AwsError => awsError('ValidationException', message);
