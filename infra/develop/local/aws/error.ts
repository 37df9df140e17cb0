/** A refusal by the name that the SDK turns into an exception of that name; its body has `fields` beside the message. */
export type AwsError = Error & { status: number; queryCode?: string; fields?: Record<string, unknown> };

/** `queryCode` is the older name that SQS sends along. */
export function awsError(name: string, message: string, status = 400, queryCode?: string): AwsError {
  return Object.assign(new Error(message), {
    name,
    status,
    ...(queryCode && { queryCode }),
  });
}

export const isAwsError = (error: unknown): error is AwsError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';
