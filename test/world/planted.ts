/** `npm run planted`: plants each bug in a copy of the code, and lets simulation and tests catch it. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bug } from './planted/bug.ts';
import { bugs } from './planted/bugs.ts';
import {
  type Catch,
  catchBySimulation,
  catchByTests,
  ruleBrokenWith,
  type Worlds,
} from './planted/catching.ts';
import { inCopyWithBug } from './planted/scratch-copy.ts';

const usage = `npm run planted -- [options]

  --only <text>      only bugs with this text in their name or file; may be given several times
  --budget <seconds> how long the simulation looks for each bug, before tests are run (default 60)
  --days <n>         virtual days of each world (default 1)
  --seed <n>         the first seed (default: a fresh one)
  --list             print the bugs, and plant none`;

const root = join(import.meta.dirname, '../..');

type Result = { bug: Bug; seconds: number; caught?: Catch | undefined; trouble?: string };

function options() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [''] },
      budget: { type: 'string', default: '60' },
      days: { type: 'string', default: '1' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { budget, days, seed, ...others } = values;
  const worlds = {
    seed: Number(seed),
    days: Number(days),
    budgetSeconds: Number(budget),
  };
  for (const [name, value] of Object.entries(worlds)) {
    if (!(value > 0)) throw new Error(`${name} is no number above 0\n\n${usage}`);
  }
  return { ...others, worlds };
}

async function main(): Promise<number> {
  const { only, list, help, worlds } = options();
  const chosen = bugs.filter(({ name, file }) => only.some((text) => `${name} ${file}`.includes(text)));
  if (help || chosen.length === 0)
    return tell(help ? usage : 'There is no such bug: see --list.', help ? 0 : 2);
  if (list) return tell(chosen.map(({ name, file }) => `${file}: ${name}`).join('\n'), 0);
  const results: Result[] = [];
  for (const bug of chosen) {
    process.stderr.write(`${results.length + 1}/${chosen.length} ${bug.name} … `);
    const result = await plant(bug, worlds);
    process.stderr.write(`${wordsFor(result)}, ${result.seconds} s\n`);
    results.push(result);
  }
  const missed = results.filter(({ caught }) => !caught);
  console.log(`${tableOf(results)}\n\n${results.length - missed.length} of ${results.length} are caught.`);
  return missed.length > 0 ? 1 : 0;
}

async function plant(bug: Bug, worlds: Worlds): Promise<Result> {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  try {
    const caught = await inCopyWithBug(root, bug, async (folder) => {
      const found = bug.tests ? undefined : await catchBySimulation(folder, worlds);
      return found ?? catchByTests(folder, testsOf(bug));
    });
    const took = seconds();
    if (caught && (await isThereAnyway(caught, bug, worlds))) {
      return { bug, seconds: took, trouble: `${wordsFor({ caught })}, but without the bug too` };
    }
    return { bug, seconds: took, caught };
  } catch (error) {
    return { bug, seconds: seconds(), trouble: (error as Error).message };
  }
}

/**
 * Returns the test paths for a bug: its `tests`, or by default those of the changed code and `test/faults`.
 */
function testsOf({ tests, file }: Bug): string[] {
  const [, room = ''] = /^(?:shared\/|functions\/|(?=infra))(?:([^/]+)\/)?/.exec(file) ?? [];
  return tests ?? [...(testsOfRooms[room] ?? [room]), 'faults'].map((folder) => `test/${folder}`);
}

/** Test folders by part of the code. An unlisted part has a test folder of the same name. */
const testsOfRooms: Record<string, string[]> = {
  '': ['shared', 'api'],
  accounts: ['users', 'tickets', 'entries'],
  organizations: ['api', 'infra/operate/admin'],
  events: ['webhooks', 'reports'],
  webhooks: ['webhooks', 'infra/operate/admin'],
  infra: [
    'infra/operate/admin',
    'infra/deploy/api',
    'infra/deploy/stack',
    'infra/deploy/workers',
    'worker-calls',
  ],
};

const sound = new Map<string | number, Promise<unknown>>();

/** Returns whether the code without the bug breaks the same rule or fails the same test. */
async function isThereAnyway(caught: Catch, bug: Bug, worlds: Worlds): Promise<boolean> {
  const once = <T>(name: string | number, look: () => Promise<T>): Promise<T> => {
    if (!sound.has(name)) sound.set(name, look());
    return sound.get(name) as Promise<T>;
  };
  if ('rule' in caught) {
    const { seed } = caught;
    return (await once(seed, () => ruleBrokenWith(root, { ...worlds, seed }))) === caught.rule;
  }
  const tests = testsOf(bug);
  return (await once(tests.join(' '), () => catchByTests(root, tests))) !== undefined;
}

function wordsFor({ caught, trouble = 'nothing found' }: Pick<Result, 'caught' | 'trouble'>): string {
  if (!caught) return `NOT CAUGHT: ${trouble}`;
  return 'rule' in caught ? `${caught.rule} (seed ${caught.seed})` : caught.test;
}

function tableOf(results: Result[]): string {
  const rows = results.map(({ bug, caught, seconds, ...result }) => {
    const found = caught && 'rule' in caught ? caught : { seeds: '', days: '' };
    const by = caught ? ('rule' in caught ? caught.rule : caught.test) : wordsFor(result);
    return [bug.name, `\`${bug.file}\``, by, found.seeds, found.days, seconds];
  });
  const head = ['bug', 'in', 'caught by', 'seeds', 'virtual days', 'seconds'];
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');
}

const cellOf = (value: string | number) => String(value).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

function tell(text: string, exitCode: number): number {
  console.log(text);
  return exitCode;
}

process.exitCode = await main();
