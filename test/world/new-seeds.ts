/** Simulates new seeds on all processors: `node infra/node24.mjs test/world/new-seeds.ts [seconds] [first seed]`. */
import { availableParallelism } from 'node:os';
import { type Result, simulateInProcess } from './seed-process.ts';

const seconds = Number(process.argv[2] ?? 60);
const first = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const deadline = performance.now() + seconds * 1000;
/** For the seed that runs when time is up. */
const patienceSeconds = 120;
const secondsLeft = () => Math.ceil((deadline - performance.now()) / 1000);
/** Seeds between those with which two processes begin. */
const distance = 100_000;

let worlds = 0;
function showResult({ seed, rule, detail }: Result): void {
  worlds++;
  if (!rule) return;
  process.exitCode = 1;
  console.log(`BROKEN: ${rule}\n${detail}\nRepeat: npm run simulate -- --seed ${seed}\n`);
}

/** A broken rule ends a process, so that a new one continues with the next seed. */
async function simulateFrom(seed: number): Promise<void> {
  for (let next = seed; secondsLeft() > 0; ) {
    const args = ['--seed', String(next), '--seconds', String(secondsLeft())];
    // Some worlds with many lost answers take an hour: their waiting deliveries multiply.
    const results = await simulateInProcess(args, showResult, (secondsLeft() + patienceSeconds) * 1000);
    next = (results.at(-1)?.seed ?? next) + 1;
  }
}

await Promise.all(
  Array.from({ length: availableParallelism() }, (_, index) => simulateFrom(first + index * distance)),
);
console.log(`${worlds} worlds, the first seed ${first}`);
