/** `npm run simulate`: runs one or more seeds until a rule is broken or the time is up, and prints statistics. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOrExit, parseNumber, parseOptions } from '../../infra/common/arguments.ts';
import { type Bundles, loadBundles } from './bundles.ts';
import { createObserver } from './observer.ts';
import { type Run, type RunOptions, runWorld } from './run.ts';
import { flows } from './steps/flows.ts';
import { callFaults, rowOf, tableHead, testConcurrently, testEveryStep } from './steps/steps.ts';

const usage = `npm run simulate -- [options]

Simulates the service with hosts, players, operators and faults, and checks all rules.

  --seed <n>         the first seed (default: a new one)
  --seeds <n>        number of consecutive seeds (default: 1, or as many as fit into --seconds)
  --days <n>         days of workload (default: follows from the seed)
  --users <n>        number of users (default: follows from the seed)
  --actions <n>      average actions per user and day (default: follows from the seed)
  --start <date>     first day (default: follows from the seed)
  --seconds <n>      start no new seed after this time
  --calm             inject no faults
  --books <folder>   write the books of all days with their records to a folder, as an export does
  --trace            print every line of the trace
  --steps            test each flow with a fault at each of its calls to AWS, instead of random workload
  --only <text>      with --steps: only flows with this text in their name
  --grants           run all flows, then the seeds, and store which grants the functions used
  --json             print one line of JSON per seed and nothing else`;

const usedPermissionsFile = join(import.meta.dirname, '../infra/deploy/used-permissions.json');

const number = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseNumber(`--${name}`, text, [0, 1_000_000_000]);

function options() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseOptions({
    options: {
      ...{
        seed: text,
        seeds: text,
        days: text,
        users: text,
        actions: text,
        start: text,
        seconds: text,
        only: text,
        books: text,
      },
      ...{
        calm: flag,
        trace: flag,
        steps: flag,
        grants: flag,
        json: flag,
      },
    },
  });
  const numbers = (['seed', 'seeds', 'days', 'users', 'actions', 'seconds'] as const).map(
    (name) => [name, number(name, values[name])] as const,
  );
  const { start, calm, trace, json, steps, grants, only, books } = values;
  const args = Object.fromEntries(numbers) as { [n in (typeof numbers)[number][0]]?: number };
  return { ...args, start, calm, trace, json, steps, grants, only, books };
}

type Arguments = ReturnType<typeof options>;

async function main(): Promise<number> {
  const args = optionsOrExit(usage, options);
  const bundles = await loadBundles();
  if (args.steps) return reportSteps(bundles, args);
  const used = createObserver();
  if (args.grants) await testConcurrently(Object.values(flows), bundles, used);
  for (const world of worldsFor(args, bundles)) {
    const began = process.cpuUsage();
    const run = await runWorld({ ...world, onCall: used.onCall });
    const { user, system } = process.cpuUsage(began);
    report(run, (user + system) / 1e6, args.json);
    if (run.violations.length > 0) {
      if (!args.json) print(traceOf(run).join('\n'));
      return 1;
    }
  }
  if (args.grants) writeFileSync(usedPermissionsFile, `${JSON.stringify(used.permissions(), null, 2)}\n`);
  return 0;
}

function* worldsFor(args: Arguments, bundles: Bundles): Generator<RunOptions> {
  const { seed = Date.now() % 1_000_000_000, seconds = Number.POSITIVE_INFINITY } = args;
  const { seeds = args.seconds === undefined ? 1 : Number.POSITIVE_INFINITY } = args;
  const deadline = performance.now() + seconds * 1000;
  for (let n = 0; n < seeds && performance.now() < deadline; n++) yield optionsOf(args, seed + n, bundles);
}

function optionsOf(
  { days, users, actions, start, calm, books, trace, json }: Arguments,
  seed: number,
  bundles: Bundles,
): RunOptions {
  return {
    seed,
    bundles,
    days,
    start: start === undefined ? undefined : Date.parse(start),
    workload: {
      ...(users !== undefined && { users }),
      ...(actions !== undefined && { actionsPerDay: actions }),
    },
    ...(calm && { rates: {} }),
    books,
    ...(trace && { line: (line: string) => console.log(line) }),
    ...(!json && process.stderr.isTTY && { progress: showProgress(seed) }),
  };
}

const showProgress = (seed: number) => (day: number, days: number) =>
  void process.stderr.write(`\r\x1b[Kseed ${seed}: day ${day.toFixed(0)} of ${days} and draining\r`);

function report(
  { options: { seed }, violations: [first], figures, hash }: Run,
  seconds: number,
  json: boolean,
) {
  const broken = first && { rule: first.rule, detail: first.detail };
  if (json) return print(JSON.stringify({ seed, seconds, hash, figures, ...broken }));
  print(`seed ${seed}: ${seconds.toFixed(1)} s, trace ${hash.slice(0, 16)}`);
  for (const [name, value] of Object.entries(figures)) {
    print(`  ${name.padEnd(32)}${value.toLocaleString('en').padStart(12)}`);
  }
  if (broken) print(`\nBROKEN with seed ${seed}: ${broken.rule}\n${broken.detail}\n`);
}

async function reportSteps(bundles: Bundles, { only = '' }: Arguments): Promise<number> {
  const used = createObserver();
  const brokenAtOnce = await testConcurrently(Object.values(flows), bundles, used);
  print(`Functions called without faults:\n${Object.keys(used.permissions()).join('\n')}\n`);
  print(`Items with a lifetime:\n${used.items().join('\n')}\n`);
  const onProgress = (name: string) => (count: number, total: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}: ${count} of ${total}\r`);
  };
  const broken = brokenAtOnce === undefined ? [] : [`BROKEN without faults\n${brokenAtOnce}`];
  print(tableHead);
  for (const [name, flow] of Object.entries(flows)) {
    if (!name.includes(only)) continue;
    const result = await testEveryStep(flow, bundles, { callFaults, onProgress: onProgress(name) });
    print(rowOf(name, result));
    for (const { step, fault, rule } of result.broken)
      broken.push(`BROKEN ${name}: ${step}, ${fault}\n${rule}`);
  }
  for (const text of broken) print(`\n${text}`);
  return broken.length > 0 ? 1 : 0;
}

/**
 * Returns the last trace lines that contain an id from the violation's text. If there are none, returns the last lines
 * of the trace.
 */
function traceOf({ violations: [violation], trace }: Run): string[] {
  const names = violation?.detail.match(/[0-9A-HJKMNP-TV-Z]{26}/g) ?? [];
  const about = trace.filter((line) => names.some((name) => line.includes(name)));
  return (about.length > 0 ? about : trace).slice(-80);
}

function print(text: string): 0 {
  console.log(text);
  return 0;
}

process.exitCode = await main();
