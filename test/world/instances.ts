/** Starts instances of Lambda functions. An instance evaluates its bundle once and handles one invocation at a time. */
import type { Context } from 'aws-lambda';
import type { Access } from '../../shared/api/route.ts';
import type { Random } from '../support/random.ts';
import type { Faults } from './faults.ts';
import { httpModule, type Network } from './http.ts';
import type { Packages } from './packages.ts';
import type { Bundle, Sandbox } from './sandbox.ts';
import type { Timeline } from './timeline.ts';

export type DeployedFunction = {
  name: string;
  bundle: Bundle;
  packages: Bundle;
  access: Access;
  environment: Record<string, string>;
  timeoutSeconds: number;
};

/** An instance of a Lambda function, with the members that the simulated AWS services use. */
export type Instance = {
  /** The function's name and the instance's number, for example `tickets/credit 3`. */
  id: string;
  function: DeployedFunction;
  /** True if all AWS calls of the current invocation are slow. */
  hasSlowCalls: boolean;
  /** Network outage of the current invocation. In a total outage, AWS executes no calls; in a partial one, some. */
  outage: 'total' | 'partial' | undefined;
  /** Number of calls in the current invocation, to AWS, relays or authorities, that had a fault or were refused. */
  faultCount: number;
  /** Number of AWS calls in the current invocation that changed something. */
  effects: number;
  /** Ends the instance immediately. Its pending code never continues. */
  kill(reason: string): void;
  alive(): boolean;
  /** Runs a callback now or, if Lambda has frozen the instance, at the start of the next invocation. */
  deliver(callback: () => void): void;
};

/** Parts of the world that an instance needs. */
export type InstanceOptions = {
  timeline: Timeline;
  random: Random;
  faults: Faults;
  packages: Packages;
  /** Returns the network for the instance's HTTP requests. */
  network: (instance: Instance) => Network;
  resolve: (name: string) => Promise<{ address: string; family: number }[]>;
  print: (instance: Instance, line: string) => void;
  trace: (line: string) => void;
  /** Reports a violation: a function did something that no fault excuses. */
  onViolation: (rule: string, detail: string) => void;
};

/** An instance with the additional members that the simulated Lambda service uses. */
export type LambdaInstance = Instance & {
  /** Incremented when an invocation starts or ends. The idle timer stops an instance only if `uses` is unchanged. */
  uses: number;
  handler: (event: unknown, context: Context) => unknown;
  sandbox: Sandbox;
  /** Returns epoch milliseconds by the instance's own clock, which may be fast or slow. */
  now(): number;
  thaw(): void;
  freeze(): void;
  /** Rejects the current invocation. Undefined if no invocation is running. */
  fail: ((error: Error) => void) | undefined;
};

/** Returns a function that starts instances. */
export function createInstances(options: InstanceOptions) {
  const { timeline, faults, random: chance, packages: shared } = options;

  return (definition: DeployedFunction, number: number): LambdaInstance => {
    const random = chance.fork(`instance ${number}`);
    const skew = faults.strikes('clockSkew') ? Math.round((random.next() * 2 - 1) * 2000) : 0;
    const instance = createInstance(definition, number, {
      ...options,
      busy: () => shared.activate(instance.sandbox),
      now: () => timeline.now() + skew,
    });
    const after: Timeline['after'] = (ms, callback) => {
      let isCancelled = false;
      // A frozen instance can still cancel a timer that is due.
      const run = () => {
        if (!isCancelled) callback();
      };
      const cancel = timeline.after(ms, () => instance.deliver(run));
      return () => {
        isCancelled = true;
        cancel();
      };
    };
    instance.sandbox = {
      now: instance.now,
      after,
      random,
      environment: { ...definition.environment },
      http: httpModule(options.network(instance), after),
      resolve: options.resolve,
      print: (line) => options.print(instance, line),
    };
    shared.activate(instance.sandbox);
    const packages = shared.of(definition.packages);
    const exports = definition.bundle({ ...instance.sandbox, packages });
    instance.handler = exports.handler as LambdaInstance['handler'];
    return instance;
  };
}

type InstanceDependencies = InstanceOptions & { busy: () => void; now: () => number };

function createInstance(
  definition: DeployedFunction,
  number: number,
  options: InstanceDependencies,
): LambdaInstance {
  const { timeline, trace, onViolation, busy, now } = options;
  const queued: (() => void)[] = [];
  let [alive, frozen] = [true, false];
  const runCallback = (callback: () => void) => {
    busy();
    try {
      callback();
    } catch (error) {
      onViolation('no function leaves an error uncaught', `${instance.id}: ${String(error)}`);
      instance.kill('Runtime exited');
    }
  };
  const instance: LambdaInstance = {
    id: `${definition.name} ${number}`,
    function: definition,
    hasSlowCalls: false,
    outage: undefined,
    faultCount: 0,
    effects: 0,
    uses: 0,
    fail: undefined,
    handler: () => {},
    sandbox: undefined as never,
    now,
    alive: () => alive,
    kill(reason) {
      if (!alive) return;
      alive = false;
      trace(`${instance.id} is gone: ${reason}`);
      instance.fail?.(namedError('Runtime.ExitError', reason));
    },
    deliver(callback) {
      if (!alive) return;
      if (frozen) queued.push(callback);
      else runCallback(callback);
    },
    thaw() {
      frozen = false;
      // Each in a turn of its own, as in Node: what one resolves may cancel the next, such as a timeout.
      for (const callback of queued.splice(0)) timeline.after(0, () => instance.deliver(callback));
    },
    freeze() {
      frozen = true;
    },
  };
  return instance;
}

export const namedError = (name: string, message: string) => Object.assign(new Error(message), { name });
