import { awsError } from './error.ts';
import type { ScheduleInput } from './schedule.ts';
import type { Scheduler } from './scheduler.ts';

/** One request to Scheduler's REST interface, its body read as JSON. */
export type RestRequest = { method: string; path: string; body: unknown };

/** Serves `CreateSchedule`, the one operation that the service calls. Throws an `AwsError`. */
export function callScheduler({ method, path, body }: RestRequest, scheduler: Scheduler): unknown {
  const [, name] = /^\/schedules\/([^/]+)$/.exec(path) ?? [];
  if (method !== 'POST' || name === undefined) {
    throw awsError('UnknownOperationException', `${method} ${path} is not served here`, 404);
  }
  // The SDK has checked the types of what it sends.
  return { ScheduleArn: scheduler.create(decodeURIComponent(name), body as ScheduleInput).arn };
}
