/**
 * Evaluates bundles in a sandbox. Time, randomness, network, files and environment variables come from the
 * simulation.
 */
import * as crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { Random } from '../support/random.ts';
import type { HttpModule } from './http.ts';
import type { Cancel } from './timeline.ts';

/** The environment that a bundle can access: clock, timers, randomness, network and files. */
export type Sandbox = {
  /** Returns epoch milliseconds by the instance's own clock, which may be fast or slow. */
  now(): number;
  /** Schedules a callback after a delay. The callback does not run if the instance has died in the meantime. */
  after(milliseconds: number, callback: () => void): Cancel;
  random: Random;
  environment: Record<string, string>;
  http: HttpModule;
  /** Returns all IP addresses of a host name. */
  resolve(name: string): Promise<{ address: string; family: number }[]>;
  /** Called with each line that the bundle prints. */
  print(line: string): void;
  /** Files that the bundle can read and write, from paths to contents. */
  files?: Record<string, string>;
  /** Exports of the npm packages that are not in the bundle, by package name. */
  packages?: Exports;
};

export type Exports = Record<string, unknown>;
/** A bundle, as a function that evaluates it in a sandbox. Each evaluation has its own module state. */
export type Bundle = (sandbox: Sandbox) => Exports;

const replacedGlobals = [
  'require',
  'module',
  'exports',
  'process',
  'globalThis',
  'global',
  'Date',
  'Math',
  'performance',
  'crypto',
  'console',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'AbortSignal',
  'fetch',
] as const;
type ReplacedGlobals = Record<(typeof replacedGlobals)[number], unknown>;

/** Compiles a CommonJS bundle. `name` appears in stack traces. */
export function readBundle(text: string, name: string): Bundle {
  const evaluate = compileFunction(text, replacedGlobals, { filename: name });
  return (sandbox) => {
    const module = { exports: {} as Exports };
    const globals = globalsOf(sandbox, module);
    evaluate(...replacedGlobals.map((global) => globals[global]));
    return module.exports;
  };
}

function globalsOf(sandbox: Sandbox, module: { exports: Exports }): ReplacedGlobals {
  const timers = timersOf(sandbox);
  const chance = cryptoOf(sandbox.random);
  const process = processOf(sandbox);
  const console = consoleOf(sandbox);
  const own = {
    ...timers,
    process,
    console,
    Date: dateOf(sandbox),
    Math: Object.create(Math, { random: { value: sandbox.random.next } }) as typeof Math,
    performance: { now: performanceOf(sandbox), timeOrigin: sandbox.now() },
    crypto: { getRandomValues: chance.getRandomValues, randomUUID: chance.randomUUID },
    AbortSignal: abortSignalOf(timers.setTimeout),
    fetch: () => Promise.reject(new Error('the sandbox has no fetch')),
  };
  const global: object = Object.create(globalThis, Object.getOwnPropertyDescriptors(own));
  const modules = modulesOf(sandbox, { timers, chance, process, console });
  const require = (name: string) => {
    const found = sandbox.packages?.[name] ?? modules[name.replace(/^node:/, '')];
    if (found === undefined) throw new Error(`the sandbox has no module ${name}`);
    return found;
  };
  return { ...own, globalThis: global, global, require, module, exports: module.exports };
}

const realRequire = createRequire(import.meta.url);
/**
 * Node modules that bundles may use unchanged: they use no clock or randomness, and have no effects outside the
 * process.
 */
const pureModules = Object.fromEntries(
  [
    'async_hooks',
    'buffer',
    'events',
    'net',
    'path',
    'stream',
    'stream/consumers',
    'stream/promises',
    'stream/web',
    'url',
    'util',
    'zlib',
  ].map((name) => [name, realRequire(`node:${name}`)]),
);

type OwnModules = Record<'timers' | 'chance' | 'process' | 'console', object>;

function modulesOf(sandbox: Sandbox, { timers, chance, process, console }: OwnModules) {
  const { http, resolve, files } = sandbox;
  const fs = filesOf(files);
  return {
    ...pureModules,
    crypto: chance,
    http,
    https: http,
    http2: {},
    timers,
    process,
    console: {
      Console: function Console() {
        return console;
      },
    },
    os: { homedir: () => '/', tmpdir: () => '/tmp', platform: () => 'linux', release: () => '0', EOL: '\n' },
    fs,
    'fs/promises': fs.promises,
    'dns/promises': { lookup: resolve },
    // An empty list suffices: the tokens of the world's timestamp authorities contain the root.
    tls: { rootCertificates: [] },
  } as Record<string, unknown>;
}

/** Returns the module `fs` with files in memory. */
function filesOf(files: Record<string, string> = {}) {
  const textOf = (path: unknown) => {
    const text = files[String(path)];
    if (text !== undefined) return text;
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
  };
  // As in Node, only a call with an encoding returns text.
  const readFileSync = (path: unknown, encoding?: unknown) =>
    encoding ? textOf(path) : Buffer.from(textOf(path));
  const statOf = (path: unknown) => ({ isFile: () => true, size: Buffer.byteLength(textOf(path)) });
  const writeFile = async (path: string, data: string | AsyncIterable<string>) => {
    let text = '';
    for await (const part of typeof data === 'string' ? [data] : data) text += part;
    files[path] = text;
  };
  const open = async (path: string, flags = 'r') => {
    if (flags === 'w') files[path] = '';
    const bytes = Buffer.from(textOf(path));
    return {
      write: async (text: string) => {
        files[path] += text;
      },
      read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
        const part = bytes.subarray(position, position + length);
        buffer.set(part, offset);
        return { buffer, bytesRead: part.length };
      },
      stat: async () => statOf(path),
      chmod: async () => {},
      close: async () => {},
    };
  };
  const openSync = (path: unknown) => path;
  const readSync = (path: unknown, buffer: Uint8Array, offset: number, length: number, position: number) => {
    const part = Buffer.from(textOf(path)).subarray(position, position + length);
    buffer.set(part, offset);
    return part.length;
  };
  const rm = async (folder: string) => {
    for (const path of Object.keys(files)) if (path.startsWith(`${folder}/`)) delete files[path];
  };
  // Files in memory need no folder.
  const mkdir = async () => {};
  const mkdtemp = async (prefix: string) => `${prefix}folder`;
  const readFile = async (path: unknown, encoding?: unknown) => readFileSync(path, encoding);
  const sync = { readFileSync, statSync: statOf, openSync, readSync, closeSync: () => {} };
  return { ...sync, promises: { readFile, writeFile, open, rm, mkdir, mkdtemp } };
}

function dateOf({ now }: Sandbox) {
  return withStatics(Date, { now }, (parameters) => (parameters.length === 0 ? [now()] : parameters));
}

/** Returns a class with some static members replaced. `parametersFor` can change the constructor's arguments. */
function withStatics<C extends abstract new (...parameters: never[]) => object>(
  original: C,
  own: Record<string, unknown>,
  parametersFor: (parameters: unknown[]) => unknown[] = (parameters) => parameters,
): C {
  return new Proxy(original, {
    construct: (_, parameters) =>
      Reflect.construct(original as unknown as new () => object, parametersFor(parameters)),
    get: (_, name) => (Object.hasOwn(own, name) ? own[name as string] : Reflect.get(original, name)),
  });
}

/**
 * Returns a clock that counts milliseconds since the instance started. The clock never goes back, even if
 * `now` does.
 */
function performanceOf({ now }: Sandbox): () => number {
  const start = now();
  let last = 0;
  return () => {
    last = Math.max(last, now() - start);
    return last;
  };
}

function timersOf({ after }: Sandbox) {
  const set = (callback: (...parameters: unknown[]) => void, milliseconds = 0, ...parameters: unknown[]) =>
    timerOf(after(Math.max(1, Number(milliseconds) || 0), () => callback(...parameters)));
  const clear = (timer: { cancel?: Cancel } | undefined) => timer?.cancel?.();
  const setInterval = (callback: () => void, milliseconds: number) => {
    let cancel: Cancel = () => {};
    const next = () => {
      cancel = after(Math.max(1, milliseconds), () => {
        next();
        callback();
      });
    };
    next();
    return timerOf(() => cancel());
  };
  return {
    setTimeout: set,
    clearTimeout: clear,
    setInterval,
    clearInterval: clear,
    setImmediate: (callback: (...parameters: unknown[]) => void, ...parameters: unknown[]) =>
      timerOf(after(0, () => callback(...parameters))),
    clearImmediate: clear,
  };
}

function timerOf(cancel: Cancel) {
  const timer = { cancel, ref: () => timer, unref: () => timer, hasRef: () => true };
  return timer;
}

type SetTimeout = ReturnType<typeof timersOf>['setTimeout'];

function abortSignalOf(setTimeout: SetTimeout) {
  const timeout = (milliseconds: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), milliseconds);
    return controller.signal;
  };
  return withStatics(AbortSignal, { timeout });
}

/** Returns Node's crypto module, but with random bytes from `random`, so that they follow from the world's seed. */
function cryptoOf(random: Random) {
  const randomFillSync = <T extends NodeJS.ArrayBufferView>(view: T): T => {
    Buffer.from(view.buffer, view.byteOffset, view.byteLength).set(random.bytes(view.byteLength));
    return view;
  };
  const randomUUID = () => {
    const bytes = random.bytes(16);
    bytes[6] = (bytes[6]! & 15) | 64;
    bytes[8] = (bytes[8]! & 63) | 128;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
  const getRandomValues = randomFillSync;
  return {
    ...crypto,
    randomBytes: random.bytes,
    randomFillSync,
    randomUUID,
    getRandomValues,
    webcrypto: { getRandomValues },
  };
}

function processOf({ environment }: Sandbox) {
  const nothing = () => {};
  return Object.create(process, {
    env: { value: environment },
    emitWarning: { value: nothing },
    stdout: { value: { write: nothing } },
    stderr: { value: { write: nothing } },
  }) as NodeJS.Process;
}

function consoleOf({ print }: Sandbox): Record<string, unknown> {
  const line = (...parts: unknown[]) => print(parts.map(String).join(' '));
  const names = ['log', 'info', 'warn', 'error', 'debug', 'trace'];
  return Object.fromEntries(names.map((name) => [name, line]));
}
