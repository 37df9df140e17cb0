/**
 * `npm run nightly`: simulates many seeds, also after a seed broke a rule. Fails if a rule is broken, or if no seed
 * reached one of the rare states.
 */
import { availableParallelism } from 'node:os';
import { argumentsOf, optionsOrUsage, wholeNumber } from '../../infra/common/arguments.ts';
import { type Result, simulateInProcess } from './seed-process.ts';
import { stateNames } from './states.ts';

const usage = `npm run nightly -- [options]

  --seed <n>   the first seed (default: a new one)
  --seeds <n>  number of consecutive seeds (default: 200)`;

const { first, count } = optionsOrUsage(usage, () => {
  const { values } = argumentsOf({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      seeds: { type: 'string', default: '200' },
    },
  });
  const first = wholeNumber('--seed', values.seed, [0, 1_000_000_000]);
  return { first, count: wholeNumber('--seeds', values.seeds, [1, 1_000_000_000]) };
});

const reachedBefore = new Set<string>();
const processes = Math.min(count, availableParallelism());
const firstOf = (index: number) => first + Math.floor((index * count) / processes);
const all = await Promise.all(
  Array.from({ length: processes }, (_, index) => simulateAll(firstOf(index), firstOf(index + 1))),
);
const results = all.flat();
const isBroken = results.some(({ rule }) => rule);
const missed = missedStates(results);
process.exitCode = isBroken || missed.length > 0 ? 1 : 0;

/** Simulates seeds `from` ≤ seed < `to`. A broken rule ends a process, so a new one continues with the next seed. */
async function simulateAll(from: number, to: number): Promise<Result[]> {
  const results: Result[] = [];
  for (let next = from; next < to; next = results.at(-1)!.seed + 1) {
    const args = ['--seed', String(next), '--seeds', String(to - next)];
    results.push(...(await simulateInProcess(args, showResult)));
  }
  return results;
}

function showResult({ seed, seconds, reached, rule, detail }: Result): void {
  const newStates = reached.filter((state) => !reachedBefore.has(state));
  for (const state of newStates) reachedBefore.add(state);
  const note = newStates.length > 0 ? `, for the first time: ${newStates.join(', ')}` : '';
  console.log(
    `seed ${seed}: ${seconds.toFixed(1)} s, ${reached.length} of ${stateNames.length} rare states${note}`,
  );
  if (rule) console.log(`\nBROKEN: ${rule}\n${detail}\nTo shrink it: npm run simulate -- --seed ${seed}\n`);
}

/** Prints how many seeds reached each rare state. Returns the states that no seed reached. */
function missedStates(results: Result[]): string[] {
  const seedsOf = (name: string) => results.filter(({ reached }) => reached.includes(name)).length;
  const states = stateNames.map((name) => ({ name, seeds: seedsOf(name) }));
  for (const { name, seeds } of states.toSorted((a, b) => a.seeds - b.seeds))
    console.log(`${String(seeds).padStart(6)}  ${name}`);
  const missed = states.filter(({ seeds }) => seeds === 0);
  if (missed.length > 0) console.log(`\nNO SEED REACHED ${missed.length} of ${states.length} states.`);
  return missed.map(({ name }) => name);
}
