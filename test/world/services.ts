/** Executes SDK calls on the simulated AWS services, with faults of messages, schedules and batch calls. */
import { awsError } from '../../infra/develop/local/aws/error.ts';
import { callKms } from '../../infra/develop/local/aws/kms.ts';
import type { Queues } from '../../infra/develop/local/aws/queues.ts';
import type { ScheduleInput } from '../../infra/develop/local/aws/schedule.ts';
import type { Scheduler } from '../../infra/develop/local/aws/scheduler.ts';
import { callSqs } from '../../infra/develop/local/aws/sqs.ts';
import type { Dynamodb } from '../support/dynamodb/dynamodb.ts';
import type { Random } from '../support/random.ts';
import type { Services } from './aws.ts';
import type { Faults } from './faults.ts';

export type Backends = { dynamodb: Dynamodb; queues: Queues; scheduler: Scheduler };

type Entry = { Id: string; MessageBody: string; DelaySeconds?: number };
type Batch = { QueueUrl: string; Entries: Entry[] };

export function createServices(
  { dynamodb, queues, scheduler }: Backends,
  faults: Faults,
  random: Random,
  now: () => number,
): Services {
  const { signal } = new AbortController();
  const sqs = (operation: string, input: unknown) => callSqs(operation, input, { queues, signal });

  async function sendBatch({ QueueUrl, Entries }: Batch) {
    const refused = Entries.filter(() => faults.strikes('partialBatch'));
    const accepted = Entries.filter((entry) => !refused.includes(entry) && isNoCopy(entry)).map(late);
    const again = accepted.filter(() => faults.strikes('duplicateMessage')).map(later);
    const sent = accepted.length > 0 ? await sqs('SendMessageBatch', { QueueUrl, Entries: accepted }) : {};
    if (again.length > 0) await sqs('SendMessageBatch', { QueueUrl, Entries: again });
    const { Successful = [], Failed = [] } = sent as { Successful?: object[]; Failed?: object[] };
    const failures = refused.map(({ Id }) => ({
      Id,
      Code: 'InternalError',
      Message: '',
      SenderFault: false,
    }));
    return { Successful, Failed: [...Failed, ...failures] };
  }
  // Drops copies of a delivery that the service queues again every 15 minutes: the faults would multiply them.
  const waitsUntil = new Map<string, number>();
  const isNoCopy = ({ MessageBody, DelaySeconds }: Entry) => {
    if (DelaySeconds !== 900) return true;
    const isCopy = waitsUntil.get(MessageBody)! > now();
    if (!isCopy) waitsUntil.set(MessageBody, now() + 900_000);
    return !isCopy;
  };
  const late = <T extends { DelaySeconds?: number }>(message: T): T =>
    faults.strikes('lateMessage') ? later(message) : message;
  const later = <T extends { DelaySeconds?: number }>(message: T): T => ({
    ...message,
    DelaySeconds: Math.min(900, (message.DelaySeconds ?? 0) + Math.ceil(faults.delay(60))),
  });

  return {
    dynamodb: (operation, input) => callPartially(dynamodb, operation, input, faults),
    async sqs(operation, input) {
      if (operation === 'SendMessageBatch') return sendBatch(input as unknown as Batch);
      if (operation !== 'SendMessage') return sqs(operation, input);
      const message = late(input as { DelaySeconds?: number });
      if (faults.strikes('duplicateMessage')) await sqs(operation, later(message));
      return sqs(operation, message);
    },
    scheduler(operation, input) {
      if (operation !== 'CreateSchedule') throw awsError('UnknownOperationException', operation);
      if (faults.strikes('scheduleRefused')) throw awsError('ServiceQuotaExceededException', 'Too many', 402);
      const { Name, ...schedule } = input as ScheduleInput & { Name: string };
      scheduler.create(Name, schedule);
      return {};
    },
    monitoring: () => ({ MetricAlarms: [] }),
    kms: (operation, input) => callKms(operation, input, random.bytes),
  };
}

type Keys = { Keys: unknown[] };
type Requests = { RequestItems: Record<string, Keys | unknown[]> };

/** Executes a DynamoDB call. The fault `partialBatch` executes only the first half of a batch. */
function callPartially(dynamodb: Dynamodb, operation: string, input: unknown, faults: Faults): unknown {
  const { RequestItems } = input as Partial<Requests>;
  const [table, requested] = Object.entries(RequestItems ?? {})[0] ?? [];
  if (table === undefined || requested === undefined || !faults.strikes('partialBatch'))
    return dynamodb.call(operation, input);
  const all = Array.isArray(requested) ? requested : requested.Keys;
  const some = Math.floor(all.length / 2);
  const part = (items: unknown[]) => ({
    [table]: Array.isArray(requested) ? items : { ...requested, Keys: items },
  });
  const left = part(all.slice(some));
  const open = operation === 'BatchGetItem' ? { UnprocessedKeys: left } : { UnprocessedItems: left };
  if (some === 0) return { Responses: {}, ...open };
  return { ...(dynamodb.call(operation, { RequestItems: part(all.slice(0, some)) }) as object), ...open };
}
