import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { bundleForLambda, functionNames } from '../../infra/bundle.ts';
import { accessOf, bundleFloors, clientsFor, floorOf } from './floors.ts';
import { byTurns, median, type Pairs, type Row, ratioOf } from './row.ts';

const root = join(import.meta.dirname, '../..');
let building: Promise<string> | undefined;

/** The folder with the bundles of all functions as Lambda gets them, and of their clients alone. */
export function bundles(): Promise<string> {
  building ??= buildAll();
  return building;
}

/** Takes the bundles away again. */
export async function removeBundles(): Promise<void> {
  if (building) rmSync(await building, { recursive: true, force: true });
}

async function buildAll(): Promise<string> {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build/bench-'));
  // On Lambda no package.json of ours says that a script is a module.
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  const clients = functionNames().map((name) => clientsFor(accessOf(name)));
  await Promise.all([bundleForLambda(folder), bundleFloors(folder, clients)]);
  return folder;
}

const floorFor = (name: string) => floorOf(clientsFor(accessOf(name)));

/** A function's handler out of its bundle, in this process. */
export async function bundledHandler(name: string) {
  const require = createRequire(import.meta.url);
  const { handler } = require(join(await bundles(), name, 'index.js'));
  return handler as (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
}

const bytesOf = async (name: string) => statSync(join(await bundles(), name, 'index.js')).size;
const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KiB`;

const size = (name: string, what: string, pick: () => string[]): Row => ({
  name,
  what: `bundle of ${what} ÷ its clients of AWS alone`,
  floor: '1',
  target: { atMost: 1.5 },
  measure: async () => {
    const sizes = await Promise.all(
      pick().map(async (of) => ({ of, bytes: await bytesOf(of), alone: await bytesOf(floorFor(of)) })),
    );
    const most = sizes.reduce((worst, one) =>
      one.bytes / one.alone > worst.bytes / worst.alone ? one : worst,
    );
    const detail = `${most.of}: ${kilobytes(most.bytes)} ÷ ${kilobytes(most.alone)}`;
    return { value: most.bytes / most.alone, detail };
  },
});

const probe = `
const before = process.cpuUsage();
const started = performance.now();
require(process.argv[1]);
const time = performance.now() - started;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ time, cpu: (user + system) / 1000 }));`;

type Kind = 'time' | 'cpu';
const loading = new Map<string, Promise<Record<Kind, Pairs>>>();

/** Milliseconds that a bundle takes to load in a fresh process. */
async function load(name: string): Promise<Record<Kind, number>> {
  const args = ['-e', probe, join(await bundles(), name, 'index.js')];
  const env = { ...process.env, AWS_REGION: 'us-east-1', TABLE_NAME: 'none' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

/** Loads a function and its clients alone by turns. */
async function loadsOf(name: string): Promise<Record<Kind, Pairs>> {
  const cpu: Pairs = { ours: [], floor: [] };
  const time = await byTurns(
    async (side) => {
      const loaded = await load(side === 'ours' ? name : floorFor(name));
      cpu[side].push(loaded.cpu);
      return loaded.time;
    },
    { turns: 25, warmUp: 0 },
  );
  return { time, cpu };
}

const loadRow = (kind: Kind, name: string): Row => ({
  name: `load-${kind}-${name.split('/').at(-1)}`,
  what: `module load of ${name} ÷ its clients of AWS alone, ${kind === 'cpu' ? 'CPU' : 'time'}`,
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

const isPage = (name: string) => name === 'play/open';
const isWorker = (name: string) => name.startsWith('events/');

export const rows: Row[] = [
  size('bundle-credit', 'tickets/credit', () => ['tickets/credit']),
  size('bundle-largest', 'the largest JSON endpoint', () =>
    functionNames().filter((name) => !isPage(name) && !isWorker(name)),
  ),
  size('bundle-worker', 'the largest worker', () => functionNames().filter(isWorker)),
  size('bundle-page', 'play/open, with all that its pages show,', () => ['play/open']),
  ...['tickets/credit', 'events/send-webhook'].flatMap((name) => [
    loadRow('time', name),
    loadRow('cpu', name),
  ]),
];
