import { awsError } from './error.ts';
import { defaultGroup, type Schedule, type ScheduleInput } from './schedule.ts';
import type { Scheduler } from './scheduler.ts';

/** One request to Scheduler's REST interface, its body read as JSON. */
export type RestRequest = { method: string; path: string; query: URLSearchParams; body: unknown };

const mostPerPage = 100;

/** Answers an operation on schedules by its method and path, or throws an `AwsError`. */
export function callScheduler({ method, path, query, body }: RestRequest, scheduler: Scheduler): unknown {
  const name = decodeURIComponent(path.slice('/schedules/'.length));
  const group = query.get('groupName') ?? undefined;
  if (path.startsWith('/schedules/')) {
    // The SDK has checked the types of what it sends.
    if (method === 'POST') return { ScheduleArn: scheduler.create(name, body as ScheduleInput).arn };
    if (method === 'PUT') return { ScheduleArn: scheduler.update(name, body as ScheduleInput).arn };
    if (method === 'GET') return describe(scheduler.get(name, group));
    if (method === 'DELETE') {
      scheduler.delete(name, group);
      return {};
    }
  }
  if (path === '/schedules' && method === 'GET') return page(scheduler.list(), query);
  if (path === '/schedule-groups' && method === 'GET') {
    return { ScheduleGroups: [{ Name: defaultGroup, State: 'ACTIVE' }] };
  }
  throw awsError('UnknownOperationException', `${method} ${path} is not served here`, 404);
}

function describe(schedule: Schedule) {
  const { ClientToken: _, ...input } = schedule.input;
  return {
    ...input,
    Arn: schedule.arn,
    Name: schedule.name,
    GroupName: schedule.group,
    ScheduleExpressionTimezone: input.ScheduleExpressionTimezone ?? 'UTC',
    State: input.State ?? 'ENABLED',
    ActionAfterCompletion: input.ActionAfterCompletion ?? 'NONE',
    CreationDate: schedule.createdAt / 1000,
    LastModificationDate: schedule.changedAt / 1000,
  };
}

function page(all: Schedule[], query: URLSearchParams) {
  const state = query.get('State');
  const matching = all
    .filter(({ group }) => group === (query.get('ScheduleGroup') ?? group))
    .filter(({ name }) => name.startsWith(query.get('NamePrefix') ?? ''))
    .filter(({ input }) => !state || (input.State ?? 'ENABLED') === state);
  const start = Number(query.get('NextToken') ?? 0);
  const end = start + Math.min(Number(query.get('MaxResults') ?? mostPerPage), mostPerPage);
  return {
    Schedules: matching.slice(start, end).map(summary),
    ...(end < matching.length && { NextToken: String(end) }),
  };
}

function summary(schedule: Schedule) {
  const { Arn, Name, GroupName, State, CreationDate, LastModificationDate, Target } = describe(schedule);
  return { Arn, Name, GroupName, State, CreationDate, LastModificationDate, Target: { Arn: Target.Arn } };
}
