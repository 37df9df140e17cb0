/** Lambda: functions, each with its instances, which are started, reused, frozen, and die. */
import type { Context } from 'aws-lambda';
import { lambdaContext } from '../../infra/local/aws/invoke-function.ts';
import type { Access } from '../../shared/api/route.ts';
import type { Faults } from './faults.ts';
import type { HttpModule } from './http.ts';
import type { Random } from './random.ts';
import type { Bundle } from './realm.ts';
import type { Cancel, Timeline } from './timeline.ts';

/** A function as it is deployed. */
export type DeployedFunction = {
  name: string;
  /** One, or while it is deployed anew several. */
  versions: Bundle[];
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
  /** Ends it at once: whatever it was at is not heard of again. */
  kill(reason: string): void;
  /** Does something for it: now, or when it is thawed; never once it is dead. */
  deliver(happen: () => void): void;
};

/** Lambda, as those that invoke functions see it. */
export type Lambda = {
  /** Runs a function. Rejects with what it throws, or if it dies, runs out of time, or there is no room for it. */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** How many instances were started. */
  started(): number;
};

type Options = {
  functions: DeployedFunction[];
  timeline: Timeline;
  random: Random;
  faults: Faults;
  /** The network, as an instance reaches it. */
  http: (instance: Instance, after: Timeline['after']) => HttpModule;
  resolve: (name: string) => Promise<{ address: string; family: number }[]>;
  print: (instance: Instance, line: string) => void;
  trace: (line: string) => void;
  /** Told of an error that nobody in a function caught. */
  crashed: (instance: Instance, error: unknown) => void;
  /** Executions at a time, of all functions together. */
  concurrency?: number;
};

type Live = Instance & {
  handler: (event: unknown, context: Context) => unknown;
  now(): number;
  thaw(): void;
  freeze(): void;
  alive(): boolean;
  /** Rejects the invocation that it is at. */
  fail: ((error: Error) => void) | undefined;
};

const idleMs = 6 * 60_000;

/** Starts Lambda with some functions. */
export function createLambda(options: Options): Lambda {
  const { functions, timeline, random, faults, trace, concurrency = 1000 } = options;
  const byName = new Map(functions.map((each) => [each.name, each]));
  const idle = new Map<string, Live[]>(functions.map(({ name }) => [name, []]));
  let started = 0;
  let requests = 0;
  let running = 0;

  async function instanceOf(name: string): Promise<Live> {
    const waiting = idle.get(name)!.filter((instance) => instance.alive());
    idle.set(name, waiting);
    const warm = waiting.pop();
    if (warm && !faults.strikes('cold')) return warm;
    warm?.kill('taken away');
    await timeline.wait(100 + random.around(150));
    started++;
    return start(byName.get(name)!, started, options);
  }

  function keep(instance: Live) {
    if (!instance.alive()) return;
    instance.freeze();
    const waiting = idle.get(instance.function.name)!;
    waiting.push(instance);
    timeline.after(idleMs + random.around(idleMs), () => {
      // Used since, it stands further back in the line, and has an end of its own.
      if (waiting.length > 1 && waiting[0] === instance) waiting.shift()!.kill('idle');
    });
  }

  return {
    started: () => started,
    async invoke(name, event) {
      if (!byName.has(name)) throw new Error(`there is no function ${name}`);
      if (running >= concurrency) throw named('TooManyRequestsException', 'Rate Exceeded');
      running++;
      const request = ++requests;
      try {
        const instance = await instanceOf(name);
        trace(`${instance.id} begins ${request}`);
        const result = await run(instance, event, request, options);
        trace(`${instance.id} ends ${request}`);
        keep(instance);
        return result;
      } finally {
        running--;
      }
    },
  };
}

function run(instance: Live, event: unknown, request: number, options: Options): Promise<unknown> {
  const { timeline, faults, random } = options;
  const { name, timeoutSeconds } = instance.function;
  const cancels: Cancel[] = [];
  const done = new Promise<unknown>((resolve, reject) => {
    instance.fail = reject;
    instance.crawls = faults.strikes('crawls');
    const deadline = instance.now() + timeoutSeconds * 1000;
    const killAfter = (ms: number, reason: string) =>
      cancels.push(timeline.after(ms, () => instance.kill(reason)));
    killAfter(timeoutSeconds * 1000, `Task timed out after ${timeoutSeconds} seconds`);
    if (faults.strikes('dies')) killAfter(random.around(40), 'Runtime exited');
    instance.thaw();
    instance.deliver(() => {
      const context = lambdaContext(name, `invocation-${request}`, () =>
        Math.max(0, deadline - instance.now()),
      );
      const answer = (async () => instance.handler(copy(event), context))();
      answer.then((result) => resolve(copy(result)), reject);
    });
  });
  return done
    .catch((error: unknown) => {
      options.trace(`${instance.id} fails ${request}: ${error instanceof Error ? error.name : error}`);
      throw error;
    })
    .finally(() => {
      instance.fail = undefined;
      for (const cancel of cancels) cancel();
    });
}

function start(deployed: DeployedFunction, number: number, options: Options): Live {
  const { timeline, faults, random: chance, trace } = options;
  const random = chance.fork(`instance ${number}`);
  const skew = faults.strikes('wrongClock') ? Math.round((random.next() * 2 - 1) * 2000) : 0;
  const waiting: (() => void)[] = [];
  let [alive, frozen] = [true, false];
  const now = () => timeline.now() + skew;
  const happens = (happen: () => void) => {
    try {
      happen();
    } catch (error) {
      options.crashed(instance, error);
      instance.kill('Runtime exited');
    }
  };
  const instance: Live = {
    id: `${deployed.name} ${number}`,
    function: deployed,
    crawls: false,
    fail: undefined,
    handler: () => {},
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
  const after: Timeline['after'] = (ms, happen) => timeline.after(ms, () => instance.deliver(happen));
  const exports = random.pick(deployed.versions)({
    now,
    after,
    random,
    environment: deployed.environment,
    http: options.http(instance, after),
    resolve: options.resolve,
    print: (line) => options.print(instance, line),
    file: () => undefined,
  });
  instance.handler = exports.handler as Live['handler'];
  return instance;
}

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

/** As it comes out at the other end of the wire. */
const copy = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));
