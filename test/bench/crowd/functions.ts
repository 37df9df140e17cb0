/** Two variants of the simulated Lambda: one whose invocations share instances, and one that counts invocations. */
import { lambdaContext } from '../../../infra/develop/local/aws/invoke-function.ts';
import { createInstances, type LambdaInstance } from '../../world/instances.ts';
import { createLambda, type Lambda, type LambdaOptions } from '../../world/lambda.ts';

/**
 * Returns a function that creates a simulated Lambda without timeouts. Each of its instances runs many invocations
 * concurrently, because 10,000 instances would exceed the memory.
 */
export function sharedInstances(instances: number) {
  return (options: LambdaOptions): Lambda => {
    const start = createInstances(options);
    const known = new Map(
      options.functions.map((each) => [each.name, { ...each, started: [] as LambdaInstance[] }]),
    );
    let started = 0;
    let requests = 0;
    return {
      started: () => started,
      async invoke(name, event) {
        const deployed = known.get(name);
        if (!deployed) throw new Error(`there is no function ${name}`);
        const request = ++requests;
        deployed.started[request % instances] ??= start(deployed, ++started);
        const instance = deployed.started[request % instances]!;
        await options.timeline.wait(options.random.around(1));
        const deadline = instance.now() + deployed.timeoutSeconds * 1000;
        const context = lambdaContext(name, `invocation-${request}`, () => deadline - instance.now());
        return new Promise((resolve, reject) => {
          instance.deliver(() => {
            const answer = (async () => instance.handler(copy(event), context))();
            answer.then((result) => resolve(copy(result)), reject);
          });
        });
      },
    };
  };
}

/** Copies a value as JSON, because Lambda sends events and results as JSON. */
const copy = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** Returns a function's mean and maximum concurrent invocations since the previous call with the same name. */
export type Busy = (name: string) => { mean: number; max: number };

/** Creates a counter of functions' concurrent invocations. `change` adds to a function's number. */
export function countConcurrency(now: () => number): {
  change: (name: string, change: 1 | -1) => void;
  busy: Busy;
} {
  type Account = { running: number; max: number; msOfAll: number; at: number; from: number };
  const accounts = new Map<string, Account>();
  const accountOf = (name: string): Account => {
    const known = accounts.get(name) ?? { running: 0, max: 0, msOfAll: 0, at: now(), from: now() };
    known.msOfAll += known.running * (now() - known.at);
    known.at = now();
    accounts.set(name, known);
    return known;
  };
  return {
    change(name, change) {
      const account = accountOf(name);
      account.running += change;
      account.max = Math.max(account.max, account.running);
    },
    busy(name) {
      const account = accountOf(name);
      const { msOfAll, from, max, running } = account;
      accounts.set(name, { ...account, msOfAll: 0, from: now(), max: running });
      return { mean: msOfAll / Math.max(1, now() - from), max };
    },
  };
}

/**
 * Returns `createFunctions`, which creates a simulated Lambda, and `busy`, which counts this Lambda's
 * concurrent invocations.
 */
export function watchedLambda(): { createFunctions: (options: LambdaOptions) => Lambda; busy: Busy } {
  let now = () => 0;
  const { change, busy } = countConcurrency(() => now());
  return {
    busy,
    createFunctions(options) {
      now = options.timeline.now;
      const lambda = createLambda(options);
      return {
        started: lambda.started,
        invoke(name, event) {
          change(name, 1);
          return lambda.invoke(name, event).finally(() => change(name, -1));
        },
      };
    },
  };
}
