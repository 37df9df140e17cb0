/** `npm run simulate -- --steps`: repeats each flow once for each combination of AWS call and fault. */
import type { Call, CallFault } from '../aws.ts';
import type { Bundles } from '../bundles.ts';
import { type RunOptions, runWorld } from '../run.ts';
import type { Flow } from './flows.ts';
import { runFlow } from './run-flow.ts';

/** Faults of an AWS call: it fails before execution, its response is lost, or its caller crashes. */
export const callFaults = [
  'failed',
  'answerLost',
  'crashBefore',
  'crashAfter',
] as const satisfies CallFault[];

/** The result of testing a flow with all faults. */
export type FlowResult = {
  /** The AWS calls that the flow makes without faults. */
  calls: string[];
  /** Number of AWS calls at which faults were tested. */
  steps: number;
  /** Number of runs with a fault. */
  tried: number;
  /** Violations of rules, each with the call and the fault that led to it. */
  broken: { step: string; fault: CallFault | 'no fault'; rule: string }[];
};

/** Flows start ten minutes before midnight in New York, on a day without a change of daylight saving time. */
const start = Date.parse('2026-06-10T03:50:00Z');
const quarterOfAnHour = 15 * 60_000;
/** Number of times that an AWS SDK client tries a call. */
const attempts = 3;
// Of a function's calls of one operation, tests only the first two and the last. The others are retries or further
// batches of the same work.
const maxPerKind = 2;

/**
 * Runs a flow without faults, then once per selected call and fault. `onProgress` gets the numbers of
 * finished and of all runs.
 */
export async function testEveryStep(
  flow: Flow,
  bundles: Bundles,
  {
    callFaults,
    onProgress,
  }: { callFaults: readonly CallFault[]; onProgress: (count: number, total: number) => void },
): Promise<FlowResult> {
  const made: Call[] = [];
  const calm = await tryFlow(flow, bundles, (call) => {
    made.push(call);
    return undefined;
  });
  const broken: FlowResult['broken'] = calm
    ? [{ step: 'without faults', fault: 'no fault', rule: calm }]
    : [];
  const calls = made.flatMap((call, index) => {
    const isTested = nameOf(call).startsWith(flow.faultsIn ?? '') && !isIdle(call, made.slice(index + 1));
    return isTested ? [{ call, index }] : [];
  });
  const steps = Object.values(Object.groupBy(calls, ({ call }) => nameOf(call))).flatMap((same = []) =>
    same.filter((_, index) => index < maxPerKind || index === same.length - 1),
  );
  let count = 0;
  for (const { call, index } of steps) {
    for (const fault of callFaults) {
      const rule = await testStep(flow, bundles, { step: nameOf(call), index, fault });
      if (rule) broken.push({ step: nameOf(call), fault, rule });
      onProgress(++count, steps.length * callFaults.length);
    }
  }
  return { calls: calls.map(({ call }) => nameOf(call)), steps: steps.length, tried: count, broken };
}

/**
 * Runs all flows concurrently, each in its own organization, and afterwards those of several days. Returns the first
 * violation.
 */
export async function testConcurrently(flows: Flow[], bundles: Bundles, observer: Observer) {
  for (const isLong of [false, true]) {
    const some = flows.filter(({ faultsIn }) => (faultsIn !== undefined) === isLong);
    const broken = await runFlows(some, bundles, { ...observer, sendsFinalRequests: false });
    if (broken !== undefined) return broken;
  }
  return undefined;
}

const callKey = ({ caller, operation, input }: Call) => `${caller?.id} ${operation} ${JSON.stringify(input)}`;

const nameOf = ({ caller, operation }: Call) => `${caller?.function.name} ${operation}`;

/** Returns whether a call is a scheduled worker's query that found no work. */
const isIdle = (call: Call, following: Call[]): boolean => {
  const isSweepQuery = ({ caller, operation }: Call) =>
    /^workers\/(check-row-index|start-spin-run|sweep-receivers)$/.test(caller?.function.name ?? '') &&
    operation === 'Query';
  const next = following.find(({ caller }) => caller === call.caller);
  return isSweepQuery(call) && (!next || isSweepQuery(next));
};

/** Runs a flow with a fault at one AWS call. Returns the first violation, if any. */
async function testStep(
  flow: Flow,
  bundles: Bundles,
  { step, index, fault }: { step: string; index: number; fault: CallFault },
): Promise<string | undefined> {
  let count = 0;
  let reached = 'no call';
  let repeatedCall = '';
  let attemptsSeen = 0;
  const broken = await tryFlow(flow, bundles, (call) => {
    if (count++ === index) {
      reached = nameOf(call);
      repeatedCall = callKey(call);
    }
    // The SDK's retries of the call fail too, so that the function sees the error.
    return callKey(call) === repeatedCall && attemptsSeen++ < attempts ? fault : undefined;
  });
  if (reached !== step) throw new Error(`the fault reached ${reached} instead of ${step}`);
  return broken;
}

const tryFlow = (flow: Flow, bundles: Bundles, chooseFault: ChooseFault) =>
  runFlows([flow], bundles, { chooseFault });

type Observer = Pick<RunOptions, 'onCall' | 'onCommit'>;
type ChooseFault = (call: Call) => CallFault | undefined;

/**
 * Runs flows without random faults. `chooseFault` chooses the faults of their AWS calls. Returns the first
 * violation.
 */
async function runFlows(
  flows: Flow[],
  bundles: Bundles,
  { chooseFault = () => undefined, ...options }: Partial<RunOptions>,
): Promise<string | undefined> {
  let isStarted = false;
  const { violations } = await runWorld({
    ...options,
    seed: 1,
    bundles,
    start,
    days: 0,
    rates: {},
    checkIntervalMs: quarterOfAnHour,
    chooseFault: (call) => (isStarted ? chooseFault(call) : undefined),
    async scenario(api) {
      const onStart = () => {
        isStarted = true;
      };
      await Promise.all(flows.map((flow) => runFlow(api, flow, onStart)));
    },
    onDrained: () => {
      isStarted = false;
    },
  });
  const [first] = violations;
  return first && `${first.rule}: ${first.detail}`;
}

export const tableHead = `| flow | calls | steps | tried | broken |\n| --- | --- | --- | --- | --- |`;

/** Returns a flow's table row: AWS calls, and numbers of tested calls, runs and violations. */
export function rowOf(name: string, { calls, steps, tried, broken }: FlowResult): string {
  const kinds = Object.entries(Object.groupBy(calls, (call) => call)).map(([call, same = []]) =>
    same.length > 1 ? `${same.length} × ${call}` : call,
  );
  return `| ${name} | ${kinds.join(', ')} | ${steps} | ${tried} | ${broken.length} |`;
}
