import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from 'aws-lambda';
import { bundleForLambda, functionNames } from '../../infra/bundle.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { median, type Row } from './row.ts';

const root = join(import.meta.dirname, '../..');
const floor = 'client-alone';
let building: Promise<string> | undefined;

/** The folder with the bundles of all functions as Lambda gets them, and of the DynamoDB client alone. */
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
  await Promise.all([
    bundleForLambda(folder),
    bundleForLambda(folder, ['play/page/render']),
    bundleForLambda(folder, [floor], 'test/bench'),
  ]);
  return folder;
}

/** A function's handler out of its bundle, in this process. */
export async function bundledHandler(name: string) {
  const require = createRequire(import.meta.url);
  const { handler } = require(join(await bundles(), name, 'index.js'));
  return handler as (event: unknown, context: Context) => Promise<{ statusCode: number; body: string }>;
}

const bytesOf = async (name: string) => statSync(join(await bundles(), name, 'index.js')).size;
const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KiB`;

const size = (name: string, what: string, pick: () => string[]): Row => ({
  name,
  what: `bundle of ${what} ÷ the DynamoDB client alone`,
  floor: '1',
  target: { atMost: 1.4 },
  measure: async () => {
    const sizes = await Promise.all(pick().map(async (of) => ({ of, bytes: await bytesOf(of) })));
    const largest = sizes.reduce((most, one) => (one.bytes > most.bytes ? one : most));
    const alone = await bytesOf(floor);
    const detail = `${largest.of}: ${kilobytes(largest.bytes)} ÷ ${kilobytes(alone)}`;
    return { value: largest.bytes / alone, detail };
  },
});

const probe = `
const before = process.cpuUsage();
const started = performance.now();
require(process.argv[1]);
const time = performance.now() - started;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ time, cpu: (user + system) / 1000 }));`;

type Load = { time: number[]; cpu: number[] };
let loading: Promise<Record<string, Load>> | undefined;

/** Loads bundles in fresh processes, by turns. */
async function loads(): Promise<Record<string, Load>> {
  const folder = await bundles();
  const found: Record<string, Load> = {};
  for (let turn = 0; turn < 15; turn++) {
    for (const name of [floor, 'tickets/credit']) {
      const args = ['-e', probe, join(folder, name, 'index.js')];
      const env = { ...process.env, AWS_REGION: 'us-east-1', TABLE_NAME: 'none' };
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      const { time, cpu } = JSON.parse(stdout) as { time: number; cpu: number };
      found[name] ??= { time: [], cpu: [] };
      found[name].time.push(time);
      found[name].cpu.push(cpu);
    }
  }
  return found;
}

const load = (kind: 'time' | 'cpu', what: string): Row => ({
  name: `load-${kind}`,
  what: `module load of tickets/credit ÷ the client alone, ${what}`,
  floor: '1',
  target: { atMost: 1.4 },
  measure: async () => {
    loading ??= loads();
    const found = await loading;
    const [ours, alone] = [median(found['tickets/credit']![kind]), median(found[floor]![kind])];
    return { value: ours / alone, detail: `${ours.toFixed(1)} ms ÷ ${alone.toFixed(1)} ms` };
  },
});

const isPage = (name: string) => name.startsWith('play/');
const endpoints = () => allRoutes.map(({ name }) => name);

export const rows: Row[] = [
  size('bundle-credit', 'tickets/credit', () => ['tickets/credit']),
  size('bundle-largest', 'the largest JSON endpoint', () => endpoints().filter((n) => !isPage(n))),
  size('bundle-of-all', 'the largest function', functionNames),
  load('time', 'time'),
  load('cpu', 'CPU'),
];
