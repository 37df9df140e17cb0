/**
 * Simulates the Lambda service: cold starts, reuse of warm instances (execution environments), timeouts,
 * crashes and the concurrency limit.
 */
import { lambdaContext } from '../../infra/develop/local/aws/invoke-function.ts';
import {
  createInstances,
  type DeployedFunction,
  type InstanceOptions,
  type LambdaInstance,
  namedError,
} from './instances.ts';
import type { Cancel } from './timeline.ts';

export type Lambda = {
  /** Invokes a function. Rejects if the function throws, crashes, times out, or exceeds the concurrency limit. */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Returns the number of instances started so far. */
  started(): number;
};

export type LambdaOptions = InstanceOptions & {
  functions: DeployedFunction[];
  /** Maximum number of concurrent executions of all functions together. */
  concurrency?: number;
};

const idleMs = 4 * 60 * 60_000;

export function createLambda(options: LambdaOptions): Lambda {
  const { functions, timeline, random, faults, trace, concurrency = 1000 } = options;
  const start = createInstances(options);
  const byName = new Map(functions.map((each) => [each.name, each]));
  const idle = new Map<string, LambdaInstance[]>(functions.map(({ name }) => [name, []]));
  let started = 0;
  let requests = 0;
  let running = 0;

  async function instanceOf(name: string): Promise<LambdaInstance> {
    const waiting = idle.get(name)!.filter((instance) => instance.alive());
    idle.set(name, waiting);
    const warm = waiting.pop();
    if (warm && !faults.strikes('coldStart')) return warm;
    warm?.kill('taken away');
    await timeline.wait(100 + random.around(150));
    started++;
    return start(byName.get(name)!, started);
  }

  function saveInstance(instance: LambdaInstance) {
    if (!instance.alive()) return;
    instance.freeze();
    idle.get(instance.function.name)!.push(instance);
    const uses = ++instance.uses;
    timeline.after(idleMs * (1 + random.next()), () => {
      if (instance.uses === uses) instance.kill('idle');
    });
  }

  return {
    started: () => started,
    async invoke(name, event) {
      if (!byName.has(name)) throw new Error(`there is no function ${name}`);
      if (running >= concurrency) throw namedError('TooManyRequestsException', 'Rate Exceeded');
      running++;
      const request = ++requests;
      try {
        const instance = await instanceOf(name);
        instance.uses++;
        // Waits for a random time, so that concurrent invocations start in random order.
        await timeline.wait(random.around(1));
        trace(`${instance.id} begins ${request}`);
        try {
          return await run(instance, event, request, options);
        } finally {
          // Keeps the instance for reuse even if its handler has thrown, as Lambda does.
          trace(`${instance.id} ends ${request}`);
          saveInstance(instance);
        }
      } finally {
        running--;
      }
    },
  };
}

function run(
  instance: LambdaInstance,
  event: unknown,
  request: number,
  options: LambdaOptions,
): Promise<unknown> {
  const { timeline, faults, random } = options;
  const { name, timeoutSeconds } = instance.function;
  const cancels: Cancel[] = [];
  const done = new Promise<unknown>((resolve, reject) => {
    instance.fail = reject;
    instance.faultCount = 0;
    instance.effects = 0;
    instance.hasSlowCalls = faults.strikes('slowCalls');
    instance.outage = undefined;
    if (faults.strikes(instance.uses === 1 ? 'networkOutageAtStart' : 'networkOutage')) {
      const startOutage = () => {
        instance.outage = faults.pick(['partial', 'total'] as const);
      };
      // Starts the network outage at the invocation's start, or 100 ms later on average.
      cancels.push(timeline.after(faults.pick([0, faults.delay(100)]), startOutage));
    }
    const deadline = instance.now() + timeoutSeconds * 1000;
    const killAfter = (ms: number, reason: string, before = () => {}) =>
      cancels.push(
        timeline.after(ms, () => {
          before();
          instance.kill(reason);
        }),
      );
    killAfter(timeoutSeconds * 1000, `Task timed out after ${timeoutSeconds} seconds`, () => {
      if (instance.faultCount > 0 || instance.hasSlowCalls) return;
      options.onViolation('a function ends in time if its calls succeed', `${instance.id}: ${request}`);
    });
    if (faults.strikes('crash')) killAfter(random.around(40), 'Runtime exited');
    instance.thaw();
    instance.deliver(() => {
      const context = lambdaContext(name, `invocation-${request}`, () =>
        Math.max(0, deadline - instance.now()),
      );
      const answer = (async () => instance.handler(copy(event), context))();
      answer.then((result) => resolve(copy(result)), reject);
    });
  });
  const reportUnexpected = (failed: string) => {
    const isTroubled =
      instance.faultCount > 0 || instance.hasSlowCalls || !instance.alive() || asksForFault(event);
    if (failed && !isTroubled)
      options.onViolation('a function does not fail if its calls succeed', `${instance.id}: ${failed}`);
  };
  return done
    .then((result) => {
      reportUnexpected(failureIn(result));
      return result;
    })
    .catch((error: Error) => {
      // These are not failures: the authorizer denies a request with `Unauthorized`, and a batch of the stream is
      // repeated after `NotVisibleYet`, until the table's index shows its records.
      const isFailure = error.message !== 'Unauthorized' && error.name !== 'NotVisibleYet';
      if (isFailure) reportUnexpected(String(error));
      options.trace(`${instance.id} fails ${request}: ${error.name}`);
      throw error;
    })
    .finally(() => {
      instance.fail = undefined;
      for (const cancel of cancels) cancel();
    });
}

/** Returns the failure that a function's result reports, or an empty string. */
function failureIn(result: unknown): string {
  const {
    statusCode = 200,
    body,
    batchItemFailures = [],
  } = (result ?? {}) as {
    statusCode?: number;
    body?: string;
    batchItemFailures?: unknown[];
  };
  if (statusCode >= 500) return `${statusCode} ${body}`;
  return batchItemFailures.length > 0 ? JSON.stringify(batchItemFailures) : '';
}

/** Copies a value as JSON, because Lambda sends events and results as JSON. */
const copy = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** Returns whether the event is a request that asks for a fault by the header `Incentives-Fault`. */
const asksForFault = (event: unknown) =>
  (event as { headers?: Record<string, string> })?.headers?.['incentives-fault'] !== undefined;
