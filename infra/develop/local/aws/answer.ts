import { type AwsError, awsError, isAwsError } from './error.ts';
import { callKms } from './kms.ts';
import type { Queues } from './queues.ts';
import type { ScheduleInput } from './schedule.ts';
import type { Scheduler } from './scheduler.ts';
import { callSqs } from './sqs.ts';

/** A request to AWS on the wire, as far as it says what is wanted; `target` is its header `x-amz-target`. */
export type AwsRequest = { target: string | undefined; method: string; path: string; body: string };
export type AwsReply = { status: number; headers: Record<string, string>; body: string };

/** The services that requests are for; a wait for a message ends with the signal. */
export type Services = { queues: Queues; scheduler: Scheduler; signal?: AbortSignal };

/** Carries out a request to SQS, Scheduler or KMS. */
export function answer(request: AwsRequest, services: Services): Promise<AwsReply> {
  const input: unknown = JSON.parse(request.body || '{}');
  const [service, operation = ''] = request.target?.split('.') ?? [];
  return replyTo(() => {
    if (service === 'AmazonSQS') return callSqs(operation, input, services);
    if (service === 'TrentService') return callKms(operation, input);
    return callScheduler(request, input as ScheduleInput, services.scheduler);
  });
}

/** Serves `CreateSchedule`, the one operation of Scheduler that the service calls; its interface is REST. */
function callScheduler({ method, path }: AwsRequest, input: ScheduleInput, scheduler: Scheduler): object {
  const [, name] = /^\/schedules\/([^/]+)$/.exec(path) ?? [];
  if (method === 'POST' && name)
    return { ScheduleArn: scheduler.create(decodeURIComponent(name), input).arn };
  throw awsError('UnknownOperationException', `${method} ${path} is not served here`, 404);
}

/** What goes back over the wire for the result of a call, or for the `AwsError` that it throws. */
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
