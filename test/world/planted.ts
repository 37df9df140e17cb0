/** `npm run planted`: plants each bug in a copy of the code and simulates worlds until a rule is broken. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BadUsage, optionsOrExit, parseInteger, parseOptions } from '../../infra/common/arguments.ts';
import { concurrently } from '../../shared/promises.ts';
import type { Bug } from './planted/bug.ts';
import { bugs } from './planted/bugs.ts';
import { type Catch, catchBySimulation, ruleBrokenWith, type Worlds } from './planted/catching.ts';
import { inCopyWithBug } from './planted/scratch-copy.ts';

const usage = `npm run planted -- [options]

  --only <text>   only bugs with this text in their name or file; may be given several times
  --seeds <n>     number of worlds that are simulated for each bug (default 10)
  --days <n>      virtual days of each world (default 1)
  --seed <n>      the first seed (default: a fresh one)
  --list          print the bugs, and plant none`;

const root = join(import.meta.dirname, '../..');

type Result = { bug: Bug; seconds: number; caught?: Catch | undefined; problem?: string };

function options() {
  const { values } = parseOptions({
    options: {
      only: { type: 'string', multiple: true, default: [''] },
      seeds: { type: 'string', default: '10' },
      days: { type: 'string', default: '1' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      list: { type: 'boolean', default: false },
    },
  });
  const { list, only } = values;
  const chosen = bugs.filter(({ name, file }) => only.some((text) => `${name} ${file}`.includes(text)));
  if (chosen.length === 0) throw new BadUsage('There is no such bug: see --list.');
  const numberIn = (name: 'seed' | 'days' | 'seeds') =>
    parseInteger(`--${name}`, values[name], [name === 'seed' ? 0 : 1, 1_000_000_000]);
  const worlds = { seed: numberIn('seed'), days: numberIn('days'), seeds: numberIn('seeds') };
  return { chosen, list, worlds };
}

async function main(): Promise<number> {
  const { chosen, list, worlds } = optionsOrExit(usage, options);
  if (list) {
    console.log(chosen.map(({ name, file }) => `${file}: ${name}`).join('\n'));
    return 0;
  }
  const results: Result[] = [];
  await concurrently(availableParallelism(), chosen, async (bug) => {
    const result = await plant(bug, worlds);
    results.push(result);
    const text = `${bug.name}: ${resultText(result)}, ${result.seconds} s`;
    process.stderr.write(`${results.length}/${chosen.length} ${text}\n`);
  });
  const missed = results.filter(({ caught }) => !caught);
  console.log(`${tableOf(results)}\n\n${results.length - missed.length} of ${results.length} are caught.`);
  return missed.length > 0 ? 1 : 0;
}

async function plant(bug: Bug, worlds: Worlds): Promise<Result> {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  try {
    const caught = await inCopyWithBug(root, bug, (folder) => catchBySimulation(folder, worlds));
    const took = seconds();
    if (caught && (await isThereAnyway(caught, worlds))) {
      return { bug, seconds: took, problem: `${resultText({ caught })}, but without the bug too` };
    }
    return { bug, seconds: took, caught };
  } catch (error) {
    return { bug, seconds: seconds(), problem: (error as Error).message };
  }
}

const sound = new Map<number, Promise<string | undefined>>();

/** Returns whether the seed breaks the same rule in the code without the bug. */
async function isThereAnyway({ seed, rule }: Catch, worlds: Worlds): Promise<boolean> {
  if (!sound.has(seed)) sound.set(seed, ruleBrokenWith(root, { ...worlds, seed }));
  return (await sound.get(seed)) === rule;
}

function resultText({ caught, problem = 'nothing found' }: Pick<Result, 'caught' | 'problem'>): string {
  return caught ? `${caught.rule} (seed ${caught.seed})` : `NOT CAUGHT: ${problem}`;
}

function tableOf(results: Result[]): string {
  const rows = results.map(({ bug, caught, seconds, ...result }) => {
    const catcher = caught ? caught.rule : resultText(result);
    return [bug.name, `\`${bug.file}\``, catcher, caught?.seeds ?? '', seconds];
  });
  const head = ['bug', 'in', 'caught by', 'seeds', 'seconds'];
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');
}

const cellOf = (value: string | number) => String(value).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

process.exitCode = await main();
