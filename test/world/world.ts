/**
 * The simulated world: runs the whole service, on simulated AWS with injected faults. One seed determines everything.
 */
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { deadLetterQueueName } from '../../infra/deploy/workers.ts';
import type { Queue } from '../../infra/develop/local/aws/queue.ts';
import { createQueues } from '../../infra/develop/local/aws/queues.ts';
import { startScheduler } from '../../infra/develop/local/aws/scheduler.ts';
import { declaredQueues, declaredSchedules, startEventSources } from '../../infra/develop/local/declared.ts';
import { createGateway } from '../../infra/develop/local/gateway.ts';
import { authorizerTtlSeconds } from '../../shared/stage.ts';
import { packItem } from '../../shared/table/codec.ts';
import { createDynamodb } from '../support/dynamodb/dynamodb.ts';
import { createThroughput } from '../support/dynamodb/throughput.ts';
import { createRandom, type Random } from '../support/random.ts';
import type { Api, DeadLetters } from './actors/api.ts';
import { createAuthorities } from './authorities.ts';
import { type Call, type CallFault, createAws } from './aws.ts';
import { createRelays } from './beacon.ts';
import type { Bundles } from './bundles.ts';
import { deployedFunctions, routes, tableName } from './deployment.ts';
import { createFaults, type FaultRates, type Faults } from './faults.ts';
import { createSender } from './gateway.ts';
import type { NetworkReply, NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import { type Commit, newJournal } from './journal.ts';
import { createLambda, type Lambda } from './lambda.ts';
import { createMoments } from './moments.ts';
import { createOperator } from './operator.ts';
import { createPackages } from './packages.ts';
import { createReceivers } from './receivers.ts';
import { startOf } from './rules/days-and-ulids.ts';
import { emptyRowIndexes } from './rules/final/row-index.ts';
import { type Backends, createServices } from './services.ts';
import { createStream } from './stream.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createTrace, type Trace } from './trace.ts';

export type WorldOptions = {
  seed: number;
  bundles: Bundles;
  /** Start of the world, in epoch milliseconds. */
  start: number;
  rates: FaultRates;
  /** Environment variables for all functions, in addition to those that a deployment sets. */
  environment?: Record<string, string>;
  /** Number of rows per block in the row indexes of new organizations. Default: the service's own. */
  rowsPerBlock?: number | undefined;
  /** Probability that a sweep runs although nothing is due. Such a sweep only reads. */
  idleSweepShare: number;
  /** Chooses the fault of a call to AWS. Takes precedence over random faults. */
  chooseFault?: ((call: Call) => CallFault | undefined) | undefined;
  /** Creates the limits of read and write units per partition key. Default: the limits of DynamoDB. */
  throughput?: typeof createThroughput;
  /** Number of shards of the table's stream. Default: 4. */
  streamShards?: number;
  /** Creates the service that runs the functions. Default: the simulated Lambda. */
  createFunctions?: typeof createLambda;
  /** Returns how long AWS takes to process a call, in milliseconds, without network latency. Default: 0. */
  latencyMs?: (call: Call) => number;
  /** Called before each call to AWS is executed. */
  onCall?: ((call: Call) => void) | undefined;
  /** Called for each call to AWS that gets a fault. */
  onFault?: ((call: Call, fault: CallFault) => void) | undefined;
  /** Called after each write to the table, with the changed items. */
  onCommit?: (commit: Commit) => void;
  /**
   * Called for behavior that is always a bug: an uncaught error, or a function that fails although no AWS call failed.
   */
  onViolation?: (rule: string, detail: string) => void;
  /** Called with each line of the trace. */
  line?: ((line: string) => void) | undefined;
};

/** A world with a running service. */
export type World = {
  timeline: Timeline;
  random: Random;
  faults: Faults;
  trace: Trace;
  api: Api;
  lambda: Lambda;
  items: ReturnType<typeof createDynamodb>['items'];
  /** The simulated AWS services, for tests that fill or inspect them. */
  backends: Backends;
  /** Returns the number of AWS calls so far. */
  calls(): number;
  /**
   * Describes all pending work that continues without further requests: messages, one-time schedules, stream
   * records and due spins.
   */
  pending(): string[];
};

const minute = 60_000;
const sweep = 'workers/start-spin-run';
const checkout = join(import.meta.dirname, '../..');
const isOfStream = (event: unknown) => 'dynamodb' in ((event as { Records: object[] }).Records[0] ?? {});

/** Creates a world with a running service and no workload. */
export function createWorld(options: WorldOptions): World {
  const { seed, bundles, start, chooseFault, rates, environment, latencyMs, rowsPerBlock } = options;
  const { onCommit = () => {}, onViolation = () => {} } = options;
  const { throughput = createThroughput, createFunctions = createLambda, streamShards } = options;
  const random = createRandom(`seed ${seed}`);
  const timeline = createTimeline(start, random.fork('timeline'));
  const faults = createFaults(rates, random.fork('faults'), timeline.now);
  const moments = createMoments(timeline, random.fork('moments'), faults.storm);
  const trace = createTrace(timeline, options.line);
  const journal = newJournal();
  const queues = createQueues(declaredQueues(), timeline);

  let writer = 'ttl';
  const dynamodb = createDynamodb({
    tableName,
    clock: timeline,
    random: random.fork('dynamodb'),
    replicaLag: () => (faults.strikes('staleRead') ? faults.delay(1000) : 0),
    indexLag: () => faults.delay(30) + (faults.strikes('indexLag') ? faults.delay(20_000) : 0),
    throughput,
    ...(streamShards && { shards: streamShards }),
    onCommit(changes) {
      stream.written();
      sweepWork.applyChanges(changes);
      const commit = { at: timeline.now(), changes, writer };
      moments.onCommit(commit);
      onCommit(commit);
    },
  });
  const stream = createStream(dynamodb, timeline, random.fork('stream'));
  const invoke = (name: string, event: unknown) => lambda.invoke(name, event);
  const scheduler = startScheduler({
    schedules: declaredSchedules(),
    queues,
    clock: timeline,
    invoke: (name, event) => invokeAsync(name, event),
    retrySeconds: 60,
  });
  const invokeAgain = (name: string, event: unknown, ms: number) =>
    timeline.after(ms, () => void invoke(name, event).catch(() => {}));
  const sweepWork = trackSweepWork();
  const idleSweeps = random.fork('idle sweeps');
  async function invokeAsync(name: string, event: unknown) {
    const isIdle = !sweepWork.exists(name, timeline.now());
    if (isIdle && !idleSweeps.chance(options.idleSweepShare)) return undefined;
    if (faults.strikes('lateSchedule')) await timeline.wait(faults.delay(5 * minute));
    if (faults.strikes('duplicateInvocation')) invokeAgain(name, event, faults.delay(minute));
    return invoke(name, event);
  }
  async function invokeFromSource(name: string, event: unknown) {
    if (!isOfStream(event)) {
      if (faults.strikes('stalledWorker')) await timeline.wait(faults.delay(6 * 60 * minute));
      return invoke(name, event);
    }
    if (faults.strikes('streamExpired')) {
      await timeline.wait(25 * 60 * minute);
      throw new Error('the stream could not be read');
    }
    if (faults.strikes('lateBatch')) await timeline.wait(faults.delay(10 * minute));
    if (faults.strikes('duplicateBatch')) invokeAgain(name, event, faults.delay(minute));
    return invoke(name, event);
  }

  const backends: Backends = { dynamodb, queues, scheduler };
  const services = createServices(backends, faults, random.fork('services'), timeline.now);
  const aws = createAws({
    services,
    timeline,
    faults,
    chooseFault,
    latencyMs,
    trace: trace.write,
    onFault: options.onFault,
    onCall: (call) => {
      writer = call.caller?.function.name ?? 'operator';
      options.onCall?.(call);
    },
  });
  const receivers = createReceivers({
    timeline,
    random: random.fork('receivers'),
    calls: journal.receiverCalls,
    trace: trace.write,
  });
  const authorities = createAuthorities({
    timeline,
    random: random.fork('authorities'),
    faults,
    trace: trace.write,
  });
  const relays = createRelays({ timeline, random: random.fork('relays'), faults });
  const network = (caller: Instance) => (request: NetworkRequest, reply: (reply: NetworkReply) => void) => {
    // A dead instance sends nothing, although its promise callbacks may still run.
    if (!caller.alive()) return;
    if (request.url.hostname.endsWith('.amazonaws.com')) aws(caller, request, reply);
    else if (authorities.serves(request.url)) authorities.carry(caller, request, reply);
    else if (relays.serves(request.url)) relays.carry(caller, request, reply);
    else void receivers.carry(caller, request, reply);
  };
  const packages = createPackages();
  const lambda = createFunctions({
    packages,
    functions: deployedFunctions(bundles, {
      ...environment,
      LOG_LEVEL: 'INFO',
    }),
    timeline,
    random: random.fork('lambda'),
    faults,
    network,
    resolve: receivers.resolve,
    print: (instance, text) => {
      // Removes the checkout's path from stack traces, so that the trace is the same in every checkout.
      const line = text.replaceAll(checkout, '');
      journal.logs.push(line);
      trace.write(`${instance.id} prints ${line}`);
    },
    trace: trace.write,
    onViolation,
  });
  startEventSources({
    queues,
    stream,
    invoke: invokeFromSource,
    failed: () => {},
    clock: timeline,
  });
  const expireHourly = () => {
    writer = 'ttl';
    dynamodb.expire();
    timeline.after(60 * minute, expireHourly);
  };
  timeline.after(60 * minute, expireHourly);

  const putIndexes = (organizationId: string, rows: number) => {
    writer = 'operator';
    for (const item of emptyRowIndexes(organizationId, rows)) {
      dynamodb.call('PutItem', { TableName: tableName, Item: marshall(packItem(item)) });
    }
  };

  const pending = () => {
    const waiting = queues
      .all()
      .map((queue) => ({ name: queue.name, messages: queue.messages().length }))
      .filter(({ messages }) => messages > 0);
    const oneTime = scheduler.list().filter(({ timetable }) => timetable.once);
    const items = [...dynamodb.items()];
    const due = items.filter(({ pk }) => pk.startsWith('DUE#'));
    return [
      ...waiting.map(({ name, messages }) => `${messages} messages on ${name}`),
      ...oneTime.map(({ name }) => `the schedule ${name}`),
      ...(stream.unread() ? ['records of the stream'] : []),
      ...items.filter(({ tpk }) => tpk === 'webhooks').map(({ sk }) => `missed events of ${sk}`),
      ...due.map(({ sk, remaining }) => `${remaining} spins due on ${sk}`),
      // A sweep takes the steps of a drawing whose schedule was lost.
      ...items.flatMap(({ pk, drawings = [] }) => drawings.map(() => `an open drawing of ${pk}`)),
    ];
  };

  const operator = createOperator({
    operate: bundles.operate,
    packages: bundles.packages,
    shared: packages,
    timeline,
    random: random.fork('operator'),
    network: (request, reply) =>
      relays.serves(request.url) ? relays.carry(undefined, request, reply) : aws(undefined, request, reply),
    journal,
    trace: trace.write,
  });
  let requestNumbers = 0;
  const api: Api = {
    random: random.fork('inhabitants'),
    now: timeline.now,
    wait: (milliseconds) => timeline.wait(milliseconds),
    moment: moments.next,
    send: createSender({
      gateway: createGateway({ routes, invoke, clock: timeline, authorizerTtlSeconds }),
      timeline,
      faults,
      trace: trace.write,
    }),
    journal,
    newRequestNumber: () => ++requestNumbers,
    async admin(args, files) {
      const result = await operator(args, files);
      const isMade = args.slice(0, 2).join(' ') === 'org create' && result.exitCode === 0;
      if (isMade && rowsPerBlock) putIndexes(result.printed.organization_id, rowsPerBlock);
      return result;
    },
    deadLetters: (of) => deadLettersOf(queues.get(deadLetterQueueName(of)), queues.get('deliveries')),
    receivers,
  };
  return {
    timeline,
    random,
    faults,
    trace,
    api,
    lambda,
    items: dynamodb.items,
    backends,
    calls: aws.count,
    pending,
  };
}

/** Tracks whether a sweep has work now: due free spins, due scheduled changes, or receivers that are not well. */
function trackSweepWork() {
  const workFrom = new Map<string, number>();
  const unwell = new Set<string>();
  return {
    exists(name: string, now: number) {
      if (name === 'workers/sweep-receivers') return unwell.size > 0;
      return name !== sweep || [...workFrom.values()].some((from) => from <= now + minute);
    },
    applyChanges(changes: Commit['changes']) {
      // Reads only these items, because converting the items of a large crowd takes long and fills the memory.
      for (const { key, before, after } of changes.filter(({ key }) => /^(ORG|DUE)#/.test(key.pk))) {
        const { pk, sk } = key;
        const { scheduled, drawings } = (after ?? before)!;
        if (after?.tpk === 'webhooks') unwell.add(`${pk} ${sk}`);
        else unwell.delete(`${pk} ${sk}`);
        const dueDay = pk.startsWith('DUE#') && sk.split('#')[0];
        const hasWork = dueDay || scheduled?.length > 0 || drawings?.length > 0;
        if (!after || !hasWork) workFrom.delete(`${pk} ${sk}`);
        else workFrom.set(`${pk} ${sk}`, dueDay ? startOf(dueDay) : firstOf(scheduled, drawings));
      }
    },
  };
}

const firstOf = (scheduled: { from: string }[] = [], drawings: { from: number }[] = []) =>
  Math.min(...scheduled.map(({ from }) => Date.parse(from)), ...drawings.map(({ from }) => from));

/** Returns a queue's current messages as dead letters. */
function deadLettersOf(queue: Queue, source: Queue): DeadLetters {
  const seen = queue.messages();
  return {
    count: seen.length,
    bodies: seen.map(({ body }) => body),
    purge: () => queue.purge(seen.map(({ id }) => id)),
    moveBack() {
      queue.purge(seen.map(({ id }) => id));
      for (const { body, groupId } of seen) source.send({ body, ...(groupId && { groupId }) });
    },
  };
}
