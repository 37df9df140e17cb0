/** AWS as functions reach it: from a request on the network to a service, with all that can befall the way. */

import { deadLetterQueueOf } from '../../infra/deploy/workers.ts';
import { replyTo } from '../../infra/develop/local/aws/answer.ts';
import { awsError } from '../../infra/develop/local/aws/error.ts';
import type { Access, TableAction } from '../../shared/api/route.ts';
import type { QueueName } from '../../shared/environment.ts';
import type { Faults } from './faults.ts';
import { connectionError, type NetworkReply, type NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import type { Timeline } from './timeline.ts';

/** The services, each as a function of an operation and its input in the JSON of the wire. Throws an AwsError. */
export type Services = Record<Service, (operation: string, input: never) => unknown>;
export type Service = 'dynamodb' | 'sqs' | 'scheduler' | 'kms';

type Options = {
  services: Services;
  timeline: Timeline;
  faults: Faults;
  trace: (line: string) => void;
  /** Told who it is whose call is carried out next. */
  writing: (by: string) => void;
  /** Told before each call, so that it may let something befall it; for a fault at one certain step. */
  befall?: ((call: Call) => Fate | undefined) | undefined;
  /** Milliseconds that a service is at a call. */
  takes?: ((call: Call) => number) | undefined;
};

/** One call as it was sent. */
export type Call = { caller: Instance | undefined; service: Service; operation: string; input: Input };
// biome-ignore lint/suspicious/noExplicitAny: the inputs of all operations
type Input = any;

/** What befalls a call. */
export type Fate =
  | 'unreachable'
  | 'requestLost'
  | 'failed'
  | 'throttled'
  | 'conflict'
  | 'diesBefore'
  | 'diesAfter'
  | 'failedAfter'
  | 'answerLost'
  | 'slow';

/** Who an operator is, as STS tells it. */
const operatorIdentity: NetworkReply = {
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
    <Arn>arn:aws:sts::123456789012:assumed-role/operator/ops</Arn><UserId>AROA:ops</UserId>
    <Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
};

/** Makes AWS. The caller is undefined for an operator, whom nothing befalls and who may do everything. */
export function createAws(options: Options) {
  const { timeline, faults, trace } = options;
  let count = 0;
  const carry = (
    caller: Instance | undefined,
    request: NetworkRequest,
    reply: (reply: NetworkReply) => void,
  ) => {
    count++;
    if (request.url.hostname.startsWith('sts.')) return timeline.after(1, () => reply(operatorIdentity));
    const call: Call = { caller, ...callOf(request) };
    const fate = caller && (options.befall?.(call) ?? fateOf(call, faults));
    const back = (value: NetworkReply, ms: number) =>
      timeline.after(ms, () => (caller ? caller.deliver(() => reply(value)) : reply(value)));
    // A connection that breaks tells of it, or nothing is ever heard of it again.
    const breakOff = () => {
      const code = faults.pick(['ECONNRESET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', undefined]);
      if (code) back({ error: connectionError(code) }, 10 * hop());
    };
    const hop = () => 0.5 + faults.delay(caller?.crawls ? 4000 : 2);
    if (fate) trace(`${caller?.id} ${call.operation} ${fate}`);
    if (fate && caller) caller.troubled++;
    if (fate === 'diesBefore') return caller!.kill('Runtime exited');
    if (fate === 'unreachable') return back({ error: connectionError('ECONNREFUSED') }, hop());
    if (fate === 'requestLost') return breakOff();
    timeline.after(hop() + (options.takes?.(call) ?? 0), async () => {
      const refused = refusalOf(call, fate, faults);
      const response = await (refused ? replyWith(refused) : carryOut(call, options));
      if (caller && isRefusal(response)) caller.troubled++;
      if (fate === 'diesAfter') return caller!.kill('Runtime exited');
      if (fate === 'failedAfter') return back(await replyWith(internalError(call)), hop());
      if (fate === 'answerLost') return breakOff();
      back(response, hop() + (fate === 'slow' ? 500 + faults.delay(4000) : 0));
    });
  };
  return Object.assign(carry, { count: () => count });
}

async function carryOut(call: Call, { services, trace, writing }: Options): Promise<NetworkReply> {
  const { caller, service, operation, input } = call;
  const done = `${caller?.id ?? 'operator'} ${operation} ${subjectOf(input)}`;
  const reply = await replyTo(() => {
    requireAccess(call);
    writing(caller?.function.name ?? 'operator');
    return services[service](operation, input as never) ?? {};
  });
  trace(reply.status === 200 ? done : `${done} ${reply.headers['x-amzn-errortype']}`);
  return reply;
}

function callOf({ url, method, headers, body }: NetworkRequest): Omit<Call, 'caller'> {
  const service = url.hostname.split('.')[0] as Service;
  const input = body.length > 0 ? JSON.parse(body.toString()) : {};
  const target = headers['x-amz-target'];
  if (target) return { service, operation: target.split('.').at(-1)!, input };
  const [, name = ''] = /^\/schedules\/([^/]+)$/.exec(url.pathname) ?? [];
  if (method !== 'POST' || !name) throw new Error(`the world serves no ${method} ${url}`);
  return { service, operation: 'CreateSchedule', input: { ...input, Name: decodeURIComponent(name) } };
}

/** Whether an answer says that something was not done, be it a part. */
const isRefusal = (reply: NetworkReply) =>
  'status' in reply && (reply.status >= 400 || /"Failed":\[\{|"Unprocessed\w+":\{"/.test(reply.body ?? ''));

/** What a call is about, for the trace. */
function subjectOf(input: Input): string {
  const key = input.Key ?? input.Item;
  if (key) return `${key.pk?.S} ${key.sk?.S}`;
  if (input.TransactItems) {
    return input.TransactItems.map((part: Record<string, Input>) => subjectOf(Object.values(part)[0])).join(
      ', ',
    );
  }
  if (input.ExpressionAttributeValues) return JSON.stringify(input.ExpressionAttributeValues);
  return input.QueueUrl?.split('/').at(-1) ?? input.Name ?? '';
}

const fatesInOrder = [
  'unreachable',
  'requestLost',
  'failed',
  'throttled',
  'failedAfter',
  'answerLost',
  'slow',
] as const;

const whenCutOff = {
  wholly: ['unreachable', 'requestLost'],
  partly: ['unreachable', 'requestLost', 'slow', 'failedAfter', 'answerLost', 'answerLost'],
} as const;

function fateOf({ caller, operation, input }: Call, faults: Faults): Fate | undefined {
  if (caller?.cutOff) return faults.pick<Fate>(whenCutOff[caller.cutOff]);
  if (faults.strikes('diesAtCall')) return faults.delay(1) > 0.7 ? 'diesBefore' : 'diesAfter';
  const fate = fatesInOrder.find((trouble) => faults.strikes(trouble));
  if (fate) return fate;
  return isWrite(operation, input) && faults.strikes('conflict') ? 'conflict' : undefined;
}

const isWrite = (operation: string, { TransactItems }: Input) =>
  TransactItems !== undefined || ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation);

/** What a service says that does not carry a call out. */
function refusalOf(call: Call, fate: Fate | undefined, faults: Faults): Error | undefined {
  const { service, input } = call;
  // Of the parts of a transaction, any may be the one.
  const place = Math.floor(faults.delay(1)) % (input.TransactItems?.length ?? 1);
  const reasons = (Code: string, message: string) =>
    Object.assign(awsError('TransactionCanceledException', 'Transaction cancelled'), {
      fields: {
        CancellationReasons: (input.TransactItems as unknown[]).map((_, index) =>
          index === place ? { Code, Message: message } : { Code: 'None' },
        ),
      },
    });
  if (fate === 'failed') return internalError(call);
  if (fate === 'conflict') {
    const message = 'Transaction is ongoing for the item';
    return input.TransactItems
      ? reasons('TransactionConflict', message)
      : awsError('TransactionConflictException', message);
  }
  if (fate !== 'throttled') return undefined;
  if (input.TransactItems) return reasons('ThrottlingError', 'Throughput exceeds the current capacity');
  const isOfTable = service === 'dynamodb' && faults.pick([true, false]);
  return isOfTable
    ? awsError('ProvisionedThroughputExceededException', 'The level of configured throughput was exceeded')
    : awsError('ThrottlingException', 'Rate exceeded');
}

/** The reply that tells of an error. */
const replyWith = (error: Error) =>
  replyTo(() => {
    throw error;
  });

const internalError = ({ service }: Call) =>
  awsError(service === 'dynamodb' ? 'InternalServerError' : 'InternalFailure', 'Internal error', 500);

/** Refuses what a function's declared access does not cover: CDK makes its grants from that and from nothing else. */
function requireAccess({ caller, service, operation, input }: Call): void {
  if (!caller || isGranted(caller.function.access, { service, operation, input })) return;
  const name = service === 'sqs' ? 'AccessDenied' : 'AccessDeniedException';
  throw awsError(name, `${caller.function.name} is not authorized to perform ${service}:${operation}`);
}

type Asked = Pick<Call, 'service' | 'operation' | 'input'>;

function isGranted(access: Access, { service, operation, input }: Asked): boolean {
  if (service === 'dynamodb') {
    if (operation === 'Query' && input.IndexName) return access.index ?? false;
    return actionsOf(operation, input).every((action) => access.table?.includes(action));
  }
  if (service === 'sqs') {
    const name = String(input.QueueUrl).split('/').at(-1)!;
    const parks = (access.parks ?? []).map(deadLetterQueueOf);
    return (
      operation.startsWith('SendMessage') &&
      (access.sends?.includes(name as QueueName) || parks.includes(name))
    );
  }
  // Commands alone create schedules.
  if (service === 'scheduler') return false;
  if (operation === 'GenerateMac') return access.draws ?? false;
  if (operation === 'Sign' || operation === 'GetPublicKey') return access.signs ?? false;
  return access.key?.includes(operation as 'Decrypt') ?? false;
}

const actionOfPart: Record<string, TableAction> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function actionsOf(operation: string, input: Input): TableAction[] {
  if (operation !== 'TransactWriteItems') return [operation as TableAction];
  return input.TransactItems.map((part: object) => actionOfPart[Object.keys(part)[0]!]);
}
