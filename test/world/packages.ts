/** Evaluates the npm packages only once for all code in a world. */

import type { Random } from '../support/random.ts';
import type { HttpModule } from './http.ts';
import type { Bundle, Exports, Sandbox } from './sandbox.ts';

/** The npm packages that all instances share. They use the sandbox of the instance whose callback runs. */
export type Packages = {
  /** Makes a sandbox the active one, for the instance whose callback runs next. */
  activate(sandbox: Sandbox): void;
  /** Returns the exports of a bundle of npm packages. The bundle's first evaluation needs an active sandbox. */
  of(bundle: Bundle): Exports;
};

export function createPackages(): Packages {
  let current: Sandbox;
  const evaluated = new Map<Bundle, Exports>();
  return {
    activate(sandbox) {
      current = sandbox;
    },
    of(bundle) {
      const known = evaluated.get(bundle) ?? asCommonJs(bundle(activeSandbox(() => current)));
      evaluated.set(bundle, known);
      return known;
    },
  };
}

type Constructor = new (options: object) => { config: object };

/**
 * Converts the packages' ES exports to what `require` returns. If the default export is a function, returns it with the
 * other exports as properties.
 */
const asCommonJs = (packages: Exports): Exports =>
  Object.fromEntries(
    Object.entries(packages as Record<string, Exports>).map(([name, exported]) => {
      const { default: main } = exported;
      if (name.startsWith('@aws-sdk/client-')) return [name, withFastClients(exported)];
      if (typeof main !== 'function') return [name, exported];
      return [name, Object.assign((...parameters: unknown[]) => main(...parameters), exported)];
    }),
  );

/**
 * Returns an SDK package whose clients skip signing, logging and configuration lookups, which take two thirds of a
 * call's time.
 */
function withFastClients(exported: Exports): Exports {
  const clients = Object.entries(exported).filter(([name]) => /^[A-Z]\w+Client$/.test(name));
  const quick = clients.map(([name, Client]) => {
    const Quick = class extends (Client as Constructor) {
      constructor(options: object) {
        super({ ...options, ...fastClientOptions });
        makeFastToCopy(this.config);
      }
    };
    return [name, Quick];
  });
  return { ...exported, ...Object.fromEntries(quick) };
}

const fastClientOptions = {
  signer: { sign: async (request: unknown) => request },
  credentials: { accessKeyId: 'world', secretAccessKey: 'world' },
  ignoreConfiguredEndpointUrls: true,
  defaultUserAgentProvider: async () => [],
  // Fixed values: without them, the SDK would search environment variables and files.
  userAgentAppId: '',
  authSchemePreference: [],
  accountIdEndpointMode: 'preferred',
  endpointDiscoveryEnabledProvider: async () => undefined,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  retryMode: 'standard',
  logger: {},
};

/**
 * Makes a client's settings the prototype of an object. V8 optimizes prototypes, so the SDK's frequent copies of the
 * settings are faster.
 */
function makeFastToCopy(config: object): void {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(config))) {
    if (get)
      Object.defineProperty(config, name, { value: get.call(config), writable: true, enumerable: true });
  }
  function Settings() {}
  Settings.prototype = config;
  for (const _ of [1, 2]) Reflect.construct(Settings, []);
}

/** Returns a sandbox that forwards each access to the active sandbox. */
function activeSandbox(current: () => Sandbox): Sandbox {
  const random: Random = {
    next: () => current().random.next(),
    below: (maxEvents) => current().random.below(maxEvents),
    chance: (probability) => current().random.chance(probability),
    pick: (items) => current().random.pick(items),
    weighted: (weights) => current().random.weighted(weights),
    around: (mean) => current().random.around(mean),
    bytes: (length) => current().random.bytes(length),
    fork: (name) => current().random.fork(name),
  };
  const http = current().http as HttpModule & { request: (...parameters: unknown[]) => unknown };
  return {
    now: () => current().now(),
    after: (milliseconds, callback) => current().after(milliseconds, callback),
    random,
    environment: new Proxy(
      {},
      {
        get: (_, name) => current().environment[name as string],
        has: (_, name) => name in current().environment,
      },
    ),
    http: {
      Agent: http.Agent,
      request: (...parameters: unknown[]) => (current().http as typeof http).request(...parameters),
    },
    resolve: (name) => current().resolve(name),
    print: (line) => current().print(line),
  };
}
