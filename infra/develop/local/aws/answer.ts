import { type AwsError, awsError, isAwsError } from './error.ts';
import { callKms } from './kms.ts';
import type { Queues } from './queues.ts';
import type { ScheduleInput } from './schedule.ts';
import type { Scheduler } from './scheduler.ts';
import { callSqs } from './sqs.ts';

/** `target` is the `x-amz-target` header, which names the service and the operation. */
export type AwsRequest = { target: string | undefined; method: string; path: string; body: string };
export type AwsReply = { status: number; headers: Record<string, string>; body: string };

/** `signal` aborts when the client has gone, which ends its long poll for messages. */
export type AwsServices = { queues: Queues; scheduler: Scheduler; signal?: AbortSignal };

export function answerAwsRequest(request: AwsRequest, services: AwsServices): Promise<AwsReply> {
  const input: unknown = JSON.parse(request.body || '{}');
  const [service, operation = ''] = request.target?.split('.') ?? [];
  return replyTo(() => {
    if (service === 'AmazonSQS') return callSqs(operation, input, services);
    if (service === 'TrentService') return callKms(operation, input);
    return callScheduler(request, input as ScheduleInput, services.scheduler);
  });
}

/** Handles `CreateSchedule`, the only EventBridge Scheduler operation that the project calls. */
function callScheduler({ method, path }: AwsRequest, input: ScheduleInput, scheduler: Scheduler): object {
  const [, name] = /^\/schedules\/([^/]+)$/.exec(path) ?? [];
  if (method !== 'POST' || !name)
    throw awsError('UnknownOperationException', `${method} ${path} is not served here`, 404);
  scheduler.create(decodeURIComponent(name), input);
  return {};
}

/**
 * Runs `call`, and returns an HTTP response with the result or the thrown `AwsError`. Any other error becomes a
 * response with status 500.
 */
export async function replyTo(call: () => unknown): Promise<AwsReply> {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  try {
    return { status: 200, headers, body: JSON.stringify(await call()) };
  } catch (error) {
    const known: AwsError = isAwsError(error)
      ? error
      : awsError('InternalServerException', String(error), 500);
    const { name, message, status, queryCode, fields } = known;
    const inHeaders = {
      'x-amzn-errortype': name,
      ...(queryCode && { 'x-amzn-query-error': `${queryCode};Sender` }),
    };
    const body = JSON.stringify({ __type: name, message, Message: message, ...fields });
    return { status, headers: { ...headers, ...inHeaders }, body };
  }
}
