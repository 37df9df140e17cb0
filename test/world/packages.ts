/** The packages of all code in a world: evaluated once, for whoever is at work at the moment. */
import type { HttpModule } from './http.ts';
import type { Random } from './random.ts';
import type { Bundle, Exports, Surroundings } from './realm.ts';

/**
 * The packages that everything in a world shares. They are busy for one of all that use them at a time: the one for
 * which something happened last. So at one moment something may happen for one alone.
 */
export type Packages = {
  /** What happens from now on happens in these surroundings. */
  busyIn(surroundings: Surroundings): void;
  /** What a bundle of packages exports. Somebody has to be busy by then. */
  of(bundle: Bundle): Exports;
};

/** Makes the packages of a world. */
export function createPackages(): Packages {
  let current: Surroundings;
  const evaluated = new Map<Bundle, Exports>();
  return {
    busyIn(surroundings) {
      current = surroundings;
    },
    of(bundle) {
      const known = evaluated.get(bundle) ?? asRequired(bundle(sharedBy(() => current)));
      evaluated.set(bundle, known);
      return known;
    },
  };
}

type Constructor = new (options: object) => { config: object };

/** Packages as `require` returns them to a bundle, which takes all that it gets for the default export. */
const asRequired = (packages: Exports): Exports =>
  Object.fromEntries(
    Object.entries(packages as Record<string, Exports>).map(([name, exported]) => {
      const { default: main } = exported;
      if (name.startsWith('@aws-sdk/client-')) return [name, withQuickClients(exported)];
      if (name === '@noble/curves/bls12-381.js') return [name, withQuickCurve(exported)];
      if (typeof main !== 'function') return [name, exported];
      return [name, Object.assign((...parameters: unknown[]) => main(...parameters), exported)];
    }),
  );

/**
 * A client's package, whose clients leave out what nobody looks at in a world, and what takes two thirds of a call:
 * they sign nothing, log nothing, do not say what they are, and look nowhere for credentials or another endpoint.
 */
function withQuickClients(exported: Exports): Exports {
  const clients = Object.entries(exported).filter(([name]) => /^[A-Z]\w+Client$/.test(name));
  const quick = clients.map(([name, Client]) => {
    const Quick = class extends (Client as Constructor) {
      constructor(options: object) {
        super({ ...options, ...withoutFrills });
        makeQuickToCopy(this.config);
      }
    };
    return [name, Quick];
  });
  return { ...exported, ...Object.fromEntries(quick) };
}

type Curve = typeof import('@noble/curves/bls12-381.js').bls12_381;
const verified = new Map<string, boolean>();

/** The curve of the beacon, which verifies a signature once: each new instance asks, and is busy with it for long. */
function withQuickCurve({ bls12_381, ...others }: Exports): Exports {
  const curve = bls12_381 as Curve;
  const signatures = curve.shortSignatures;
  type Verify = typeof signatures.verify;
  const verify: Verify = (signature, message, publicKey) => {
    const name = [signature, message.toBytes(), publicKey]
      .map((part) => Buffer.from(part as Uint8Array).toString('hex'))
      .join();
    const known = verified.get(name) ?? signatures.verify(signature, message, publicKey);
    verified.set(name, known);
    return known;
  };
  return { ...others, bls12_381: { ...curve, shortSignatures: { ...signatures, verify } } };
}

const withoutFrills = {
  signer: { sign: async (request: unknown) => request },
  credentials: { accessKeyId: 'world', secretAccessKey: 'world' },
  ignoreConfiguredEndpointUrls: true,
  defaultUserAgentProvider: async () => [],
  // What they would find if they looked for it in the environment and in files.
  userAgentAppId: '',
  authSchemePreference: [],
  accountIdEndpointMode: 'preferred',
  endpointDiscoveryEnabledProvider: async () => undefined,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  retryMode: 'standard',
  logger: {},
};

/** A client copies its settings four times for each call. V8 has them as a dictionary, unless they are a prototype. */
function makeQuickToCopy(config: object): void {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(config))) {
    if (get)
      Object.defineProperty(config, name, { value: get.call(config), writable: true, enumerable: true });
  }
  function Settings() {}
  Settings.prototype = config;
  for (const _ of [1, 2]) Reflect.construct(Settings, []);
}

/** The surroundings of whoever they are for at the moment. */
function sharedBy(current: () => Surroundings): Surroundings {
  const random: Random = {
    next: () => current().random.next(),
    below: (most) => current().random.below(most),
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
    after: (milliseconds, happen) => current().after(milliseconds, happen),
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
