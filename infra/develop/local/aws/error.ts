/** An error response of AWS, which the SDK throws as exception `name`. `fields` go into the response body. */
export type AwsError = Error & { status: number; queryCode?: string; fields?: Record<string, unknown> };

/** `queryCode` is the error's code in AWS's older query protocol; SQS sends it in addition to `name`. */
export function awsError(name: string, message: string, status = 400, queryCode?: string): AwsError {
  return Object.assign(new Error(message), {
    name,
    status,
    ...(queryCode && { queryCode }),
  });
}

export const isAwsError = (error: unknown): error is AwsError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';
