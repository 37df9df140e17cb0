import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Metafile } from 'esbuild';
import { bundleForLambda, functionNames } from '../../infra/deploy/bundle.ts';
import {
  accessOf,
  baselineOf,
  bundleBaselines,
  bundleMinimalBaseline,
  clientsFor,
  minimalBaseline,
} from './baselines.ts';
import { load } from './loading.ts';
import { byTurns, median, type Pairs, type Row, ratioOf } from './row.ts';

const root = join(import.meta.dirname, '../..');
let building: Promise<Bundles> | undefined;

/** `folder` contains all built bundles. `functions` is esbuild's metafile of the functions' bundles. */
type Bundles = { folder: string; functions: Metafile };

/** Builds all bundles at the first call. Later calls return the same bundles. */
export function bundles(): Promise<Bundles> {
  building ??= buildAll();
  return building;
}

/** Deletes the built bundles. Does nothing if none were built. */
export async function removeBundles(): Promise<void> {
  if (building) rmSync((await building).folder, { recursive: true, force: true });
}

async function buildAll(): Promise<Bundles> {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build/bench-'));
  // Without this `package.json`, Node would find the project's `package.json` and load the bundles as ES modules.
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  const clients = functionNames().map((name) => clientsFor(accessOf(name)));
  const [functions] = await Promise.all([
    bundleForLambda(folder),
    bundleBaselines(folder, clients),
    bundleMinimalBaseline(folder),
  ]);
  return { folder, functions };
}

/** Returns the path of a bundle. `name` is the name of a function or of a baseline, which has only AWS clients. */
export const fileOf = async (name: string) =>
  join((await bundles()).folder, name, name === minimalBaseline ? 'index.mjs' : 'index.js');

/** Returns the name of a function's baseline: a bundle of only the AWS clients that the function needs. */
export const baselineFor = (name: string) => baselineOf(clientsFor(accessOf(name)));

/** Loads a function's bundle into this process. Returns its handler. */
export async function bundledHandler(name: string) {
  const require = createRequire(import.meta.url);
  const { handler } = require(await fileOf(name));
  return handler as (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
}

/** Loads a new copy of a function's bundle, because a loaded copy keeps its old AWS endpoints. Returns its handler. */
export async function freshHandler(name: string) {
  const path = await fileOf(name);
  const require = createRequire(import.meta.url);
  const { [path]: kept } = require.cache;
  delete require.cache[path];
  const { handler } = require(path);
  if (kept) require.cache[path] = kept;
  else delete require.cache[path];
  return handler as (event: unknown, context: Context) => Promise<unknown>;
}

export const bytesOf = async (name: string) => statSync(await fileOf(name)).size;
const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KiB`;

const size = (name: string, what: string, pick: () => string[]): Row => ({
  name,
  what: `bundle of ${what} ÷ its AWS clients alone`,
  floor: '1',
  target: { atMost: 1.5 },
  measure: async () => {
    const sizes = await Promise.all(
      pick().map(async (of) => ({ of, bytes: await bytesOf(of), alone: await bytesOf(baselineFor(of)) })),
    );
    const most = sizes.reduce((worst, one) =>
      one.bytes / one.alone > worst.bytes / worst.alone ? one : worst,
    );
    const detail = `${most.of}: ${kilobytes(most.bytes)} ÷ ${kilobytes(most.alone)}`;
    return { value: most.bytes / most.alone, detail };
  },
});

type Kind = 'time' | 'cpu';
const loading = new Map<string, Promise<Record<Kind, Pairs>>>();

/** Loads a function's bundle and its baseline alternately. Returns load times and CPU times in milliseconds. */
async function loadsOf(name: string): Promise<Record<Kind, Pairs>> {
  const cpu: Pairs = { ours: [], floor: [] };
  const time = await byTurns(
    async (side) => {
      const loaded = await load(await fileOf(side === 'ours' ? name : baselineFor(name)));
      cpu[side].push(loaded.cpu);
      return loaded.time;
    },
    { turns: 25, warmUp: 0 },
  );
  return { time, cpu };
}

const loadRow = (kind: Kind, name: string): Row => ({
  name: `load-${kind}-${name.split('/').at(-1)}`,
  what: `module load of ${name} ÷ its AWS clients alone, ${kind === 'cpu' ? 'CPU' : 'time'}`,
  floor: '1',
  target: { atMost: 1.5 },
  measure: async () => {
    if (!loading.has(name)) loading.set(name, loadsOf(name));
    const pairs = (await loading.get(name)!)[kind];
    const { value, spread } = ratioOf(pairs);
    const [ours, alone] = [median(pairs.ours).toFixed(1), median(pairs.floor).toFixed(1)];
    return { value, detail: `${spread}, ${ours} ms ÷ ${alone} ms` };
  },
});

const isPage = (name: string) => name === 'play/open' || name.startsWith('docs/');
const isWorker = (name: string) => name.startsWith('events/');

export const rows: Row[] = [
  size('bundle-credit', 'tickets/credit', () => ['tickets/credit']),
  size('bundle-largest', 'the largest JSON endpoint', () =>
    functionNames().filter((name) => !isPage(name) && !isWorker(name)),
  ),
  size('bundle-worker', 'the largest worker', () => functionNames().filter(isWorker)),
  size('bundle-page', 'play/open, with its pages,', () => ['play/open']),
  ...['tickets/credit', 'events/send-webhook'].flatMap((name) => [
    loadRow('time', name),
    loadRow('cpu', name),
  ]),
];
