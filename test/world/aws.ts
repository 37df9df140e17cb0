/**
 * Simulates AWS: passes requests of the AWS SDK from a function instance to a simulated service, and injects
 * faults.
 */

import { replyTo } from '../../infra/develop/local/aws/answer.ts';
import { awsError } from '../../infra/develop/local/aws/error.ts';
import type { Faults } from './faults.ts';
import { connectionError, type NetworkReply, type NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import { declaredPermissions, permissionsOf } from './permissions.ts';
import type { Timeline } from './timeline.ts';

/** The simulated AWS services. Each executes an operation with the JSON input of a request, or throws an `AwsError`. */
export type Services = Record<Service, (operation: string, input: never) => unknown>;
export type Service = 'dynamodb' | 'sqs' | 'scheduler' | 'kms' | 'monitoring';

type Options = {
  services: Services;
  timeline: Timeline;
  faults: Faults;
  trace: (line: string) => void;
  /** Called before each call to AWS is executed. */
  onCall: (call: Call) => void;
  /** Called for each call that gets a fault. */
  onFault?: ((call: Call, fault: CallFault) => void) | undefined;
  /** Returns the fault that a test wants for a call, or undefined to let chance decide. */
  chooseFault?: ((call: Call) => CallFault | undefined) | undefined;
  /** Returns how long the called AWS service takes to process a call, in milliseconds. */
  latencyMs?: ((call: Call) => number) | undefined;
};

/** A call to AWS, as the SDK sent it. `caller` is undefined for an operator's command. */
export type Call = { caller: Instance | undefined; service: Service; operation: string; input: Input };
// biome-ignore lint/suspicious/noExplicitAny: the inputs of all operations
type Input = any;

/** A fault of one AWS call, as in `faults.ts`, or a crash of the caller before or after execution. */
export type CallFault =
  | 'unreachable'
  | 'requestLost'
  | 'failed'
  | 'throttled'
  | 'conflict'
  | 'crashBefore'
  | 'crashAfter'
  | 'errorAfterExecution'
  | 'answerLost'
  | 'slow';

/** The response of AWS STS to an operator's command that asks for the identity of its caller. */
const operatorIdentity: NetworkReply = {
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
    <Arn>arn:aws:sts::123456789012:assumed-role/operator/ops</Arn><UserId>AROA:ops</UserId>
    <Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
};

/** Creates the simulated AWS. Calls without a caller are operators' calls: they get no `CallFault` and no IAM check. */
export function createAws(options: Options) {
  const { timeline, faults, trace } = options;
  let count = 0;
  const severalEffects = new Set<string>();
  const handle = (
    caller: Instance | undefined,
    request: NetworkRequest,
    reply: (reply: NetworkReply) => void,
  ) => {
    count++;
    if (request.url.hostname.startsWith('sts.')) return timeline.after(1, () => reply(operatorIdentity));
    const call: Call = { caller, ...callOf(request) };
    const fault = caller && (options.chooseFault?.(call) ?? randomFault(call, faults, severalEffects));
    const respond = (value: NetworkReply, ms: number) =>
      timeline.after(ms, () => (caller ? caller.deliver(() => reply(value)) : reply(value)));
    // Breaks the connection. In four of five cases, the caller gets an error; otherwise the caller never gets a
    // response.
    const breakConnection = () => {
      const code = faults.pick(['ECONNRESET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', undefined]);
      if (code) respond({ error: connectionError(code) }, 10 * hop());
    };
    const hop = () => 0.5 + faults.delay(caller?.hasSlowCalls ? 4000 : 2);
    if (fault) trace(`${caller?.id} ${call.operation} ${fault}`);
    if (fault) options.onFault?.(call, fault);
    if (fault && caller) caller.faultCount++;
    if (fault === 'crashBefore') return caller!.kill('Runtime exited');
    if (fault === 'unreachable') return respond({ error: connectionError('ECONNREFUSED') }, hop());
    if (fault === 'requestLost') return breakConnection();
    timeline.after(hop() + (options.latencyMs?.(call) ?? 0), async () => {
      const refused = refusalOf(call, fault, faults);
      const response = await (refused ? replyWith(refused) : execute(call, options));
      if (caller && isRefusal(response)) caller.faultCount++;
      if (fault === 'crashAfter') return caller!.kill('Runtime exited');
      if (fault === 'errorAfterExecution') return respond(await replyWith(internalError(call)), hop());
      if (fault === 'answerLost') return breakConnection();
      respond(response, hop() + (fault === 'slow' ? 500 + faults.delay(4000) : 0));
    });
  };
  return Object.assign(handle, { count: () => count });
}

async function execute(call: Call, { services, trace, onCall }: Options): Promise<NetworkReply> {
  const { caller, service, operation, input } = call;
  const done = `${caller?.id ?? 'operator'} ${operation} ${subjectOf(input)}`;
  const reply = await replyTo(() => {
    requireAccess(call);
    onCall(call);
    if (caller && isEffect(call)) caller.effects++;
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
  if (method !== 'POST' || !name) throw new Error(`the simulation does not support ${method} ${url}`);
  return { service, operation: 'CreateSchedule', input: { ...input, Name: decodeURIComponent(name) } };
}

/** Returns whether a response is an error or reports failed or unprocessed entries of a batch. */
const isRefusal = (reply: NetworkReply) =>
  'status' in reply &&
  (reply.status >= 400 || /"Failed":\[\{|"Unprocessed\w+":\{"/.test(String(reply.body ?? '')));

/** Returns the item, queue or other target of a call, for the trace. */
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

const callFaultsByPriority = [
  'unreachable',
  'requestLost',
  'failed',
  'throttled',
  'errorAfterExecution',
  'answerLost',
  'slow',
] as const;

const outageFaults = {
  total: ['unreachable', 'requestLost'],
  partial: ['unreachable', 'requestLost', 'slow', 'errorAfterExecution', 'answerLost', 'answerLost'],
} as const;

/** Draws a call's fault, if any. `severalEffects` has the functions that have made two changes in one invocation. */
function randomFault(call: Call, faults: Faults, severalEffects: Set<string>): CallFault | undefined {
  const { caller, operation, input } = call;
  if (caller?.outage) return faults.pick<CallFault>(outageFaults[caller.outage]);
  if (caller && caller.effects > 0 && isEffect(call)) {
    const isFirst = !severalEffects.has(caller.function.name);
    severalEffects.add(caller.function.name);
    if (faults.strikes(isFirst ? 'crashBetweenFirstEffects' : 'crashBetweenEffects')) return 'crashBefore';
  }
  if (faults.strikes('crashAtCall')) return faults.delay(1) > 0.7 ? 'crashBefore' : 'crashAfter';
  const fault = callFaultsByPriority.find((name) => faults.strikes(name));
  if (fault) return fault;
  return isWrite(operation, input) && faults.strikes('conflict') ? 'conflict' : undefined;
}

const isWrite = (operation: string, { TransactItems }: Input) =>
  TransactItems !== undefined || ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation);

const effects = /^(BatchWriteItem|SendMessage|SendMessageBatch|CreateSchedule)$/;

/** Returns whether a call changes something: the table, a queue or a schedule. */
export const isEffect = ({ operation, input }: Omit<Call, 'caller'>): boolean =>
  isWrite(operation, input) || effects.test(operation);

/** Returns the error with which AWS refuses a call, or undefined if AWS executes the call. */
function refusalOf(call: Call, fault: CallFault | undefined, faults: Faults): Error | undefined {
  const { service, input } = call;
  // Any item of the transaction can cause the error, so the error names a random item.
  const place = Math.floor(faults.delay(1)) % (input.TransactItems?.length ?? 1);
  const reasons = (Code: string, message: string) =>
    Object.assign(awsError('TransactionCanceledException', 'Transaction cancelled'), {
      fields: {
        CancellationReasons: (input.TransactItems as unknown[]).map((_, index) =>
          index === place ? { Code, Message: message } : { Code: 'None' },
        ),
      },
    });
  if (fault === 'failed') return internalError(call);
  if (fault === 'conflict') {
    const message = 'Transaction is ongoing for the item';
    return input.TransactItems
      ? reasons('TransactionConflict', message)
      : awsError('TransactionConflictException', message);
  }
  if (fault !== 'throttled') return undefined;
  if (input.TransactItems) return reasons('ThrottlingError', 'Throughput exceeds the current capacity');
  const isOfTable = service === 'dynamodb' && faults.pick([true, false]);
  return isOfTable
    ? awsError('ProvisionedThroughputExceededException', 'The level of configured throughput was exceeded')
    : awsError('ThrottlingException', 'Rate exceeded');
}

const replyWith = (error: Error) =>
  replyTo(() => {
    throw error;
  });

const internalError = ({ service }: Call) =>
  awsError(service === 'dynamodb' ? 'InternalServerError' : 'InternalFailure', 'Internal error', 500);

/** Throws unless the calling function has declared the needed access, from which CDK generates the IAM grants. */
function requireAccess({ caller, ...call }: Call): void {
  const granted = caller && declaredPermissions(caller.function.access);
  const missing = granted && permissionsOf(call).find((permission) => !granted.includes(permission));
  if (!missing) return;
  const name = call.service === 'sqs' ? 'AccessDenied' : 'AccessDeniedException';
  throw awsError(name, `${caller!.function.name} is not authorized to perform ${missing}`);
}
