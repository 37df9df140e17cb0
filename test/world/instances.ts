/** Instances of Lambda functions: each an evaluation of its function's bundle, with a clock and a life of its own. */
import type { Context } from 'aws-lambda';
import type { Access } from '../../shared/api/route.ts';
import type { Faults } from './faults.ts';
import { httpModule, type Network } from './http.ts';
import type { Packages } from './packages.ts';
import type { Random } from './random.ts';
import type { Bundle, Surroundings } from './realm.ts';
import type { Timeline } from './timeline.ts';

/** A function as it is deployed. */
export type DeployedFunction = {
  name: string;
  /** One, or while it is deployed anew several. */
  versions: { bundle: Bundle; packages: Bundle }[];
  access: Access;
  environment: Record<string, string>;
  timeoutSeconds: number;
};

/** An instance, as what it calls sees it. */
export type Instance = {
  /** The function's name and the instance's number: `tickets/credit 3`. */
  id: string;
  function: DeployedFunction;
  /** Whether every call of its takes long at the moment. */
  crawls: boolean;
  /**
   * Whether its calls fail at the moment: all of them, and nothing is done; or most, and some are done all
   * the same.
   */
  cutOff: 'wholly' | 'partly' | undefined;
  /** How many calls of its present invocation something befell, or were refused. */
  troubled: number;
  /** Ends it at once: whatever it was at is not heard of again. */
  kill(reason: string): void;
  alive(): boolean;
  /** Does something for it: now, or when it is thawed; never once it is dead. */
  deliver(happen: () => void): void;
};

/** What instances depend on. */
export type InstanceOptions = {
  timeline: Timeline;
  random: Random;
  faults: Faults;
  packages: Packages;
  /** The network, as an instance reaches it. */
  network: (instance: Instance) => Network;
  resolve: (name: string) => Promise<{ address: string; family: number }[]>;
  print: (instance: Instance, line: string) => void;
  trace: (line: string) => void;
  /** Told of what no function may do, whatever befalls it: the rule, and what was done. */
  misbehaved: (rule: string, detail: string) => void;
};

/** An instance, as Lambda sees it. */
export type Live = Instance & {
  /** How often it was taken into use, or left. */
  uses: number;
  handler: (event: unknown, context: Context) => unknown;
  surroundings: Surroundings;
  /** By its own clock, which need not be right. */
  now(): number;
  thaw(): void;
  freeze(): void;
  /** Rejects the invocation that it is at. */
  fail: ((error: Error) => void) | undefined;
};

/** Makes what starts an instance of a function. */
export function createInstances(options: InstanceOptions) {
  const { timeline, faults, random: chance, packages: shared } = options;

  return (deployed: DeployedFunction, number: number): Live => {
    const random = chance.fork(`instance ${number}`);
    const skew = faults.strikes('wrongClock') ? Math.round((random.next() * 2 - 1) * 2000) : 0;
    const instance = lifeOf(deployed, number, {
      ...options,
      busy: () => shared.busyIn(instance.surroundings),
      now: () => timeline.now() + skew,
    });
    const after: Timeline['after'] = (ms, happen) => timeline.after(ms, () => instance.deliver(happen));
    instance.surroundings = {
      now: instance.now,
      after,
      random,
      environment: { ...deployed.environment },
      http: httpModule(options.network(instance), after),
      resolve: options.resolve,
      print: (line) => options.print(instance, line),
    };
    const { bundle, packages } = random.pick(deployed.versions);
    shared.busyIn(instance.surroundings);
    const exports = bundle({ ...instance.surroundings, packages: shared.of(packages) });
    instance.handler = exports.handler as Live['handler'];
    return instance;
  };
}

type LifeOptions = InstanceOptions & { busy: () => void; now: () => number };

function lifeOf(deployed: DeployedFunction, number: number, options: LifeOptions): Live {
  const { trace, misbehaved, busy, now } = options;
  const waiting: (() => void)[] = [];
  let [alive, frozen] = [true, false];
  const happens = (happen: () => void) => {
    busy();
    try {
      happen();
    } catch (error) {
      misbehaved('no function leaves an error to nobody', `${instance.id}: ${String(error)}`);
      instance.kill('Runtime exited');
    }
  };
  const instance: Live = {
    id: `${deployed.name} ${number}`,
    function: deployed,
    crawls: false,
    cutOff: undefined,
    troubled: 0,
    uses: 0,
    fail: undefined,
    handler: () => {},
    surroundings: undefined as never,
    now,
    alive: () => alive,
    kill(reason) {
      if (!alive) return;
      alive = false;
      trace(`${instance.id} is gone: ${reason}`);
      instance.fail?.(named('Runtime.ExitError', reason));
    },
    deliver(happen) {
      if (!alive) return;
      if (frozen) waiting.push(happen);
      else happens(happen);
    },
    thaw() {
      frozen = false;
      for (const happen of waiting.splice(0)) if (alive) happens(happen);
    },
    freeze() {
      frozen = true;
    },
  };
  return instance;
}

/** An error of a name. */
export const named = (name: string, message: string) => Object.assign(new Error(message), { name });
