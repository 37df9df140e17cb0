/** Measures the verification of a day's book: `node infra/node24.mjs test/bench/verify.ts [draws] [users]`. */

import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listBookFiles } from '../../shared/books/check/files.ts';
import { verifyBookFiles } from '../../shared/books/check/verify.ts';
import { bookOfDay, booksOf, newTotals } from '../books/support/books.ts';
import { canonical, dayAt, newTree } from '../books/support/plain.ts';
import { order, play } from '../books/support/plays.ts';
import { credit, newUser, newWorld, type User } from '../books/support/world.ts';

const [draws = 1_000_000, users = 100_000] = process.argv.slice(2).map(Number);
const folder = join(import.meta.dirname, `../../.build/books-${draws}-${users}`);

/** Writes a day's records and book to disk step by step, because the memory cannot hold all records. */
async function makeDay() {
  mkdirSync(folder, { recursive: true });
  const part = join(folder, 'part');
  const out = createWriteStream(part);
  const [totals, tree] = [newTotals(), newTree()];
  let lines: string[] = [];
  const world = newWorld({
    settings: { daily_spin_limit_on: false, daily_cash_limit_usd: 100_000 },
    onRecord: (rec) => {
      const line = canonical(rec);
      tree.add(line);
      totals.add(rec);
      lines.push(line);
    },
  });
  const known: User[] = [];
  for (let turn = 1; totals.counts.outcomes! < draws; turn++) {
    if (known.length < users) {
      world.wait(1);
      known.push(newUser(world));
    }
    const user = known[(Math.imul(turn, 0x9e3779b1) >>> 0) % known.length]!;
    if (user.balances.tickets! < 10) credit(world, user, 100);
    if (turn % 40 === 0) order(world, user, 10, 'at_once');
    else play(world, user, turn % 3 ? 'prizewheel' : 'truck');
    if (lines.length < 5000) continue;
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
    lines = [];
  }
  out.end(lines.map((line) => `${line}\n`).join(''));
  await once(out, 'close');
  const day = dayAt(world.now);
  world.days.set(day, []);
  const books = booksOf(world);
  const facts = { books, day: { ...books.days[0]!, settings: world.settings }, totals, tree, previous: null };
  const { text, head } = bookOfDay(facts);
  const stem = join(folder, `${books.organizationId}.${day}`);
  writeFileSync(`${stem}.records`, `${head}\n`);
  await pipeline(createReadStream(part), createWriteStream(`${stem}.records`, { flags: 'a' }));
  rmSync(part);
  writeFileSync(`${stem}.book`, books.key.note(text));
  writeFileSync(join(folder, 'counts.json'), JSON.stringify(totals.counts));
}

/** Returns the microseconds of CPU that parsing and hashing a record takes: the least that any check needs. */
function floorOfRecord(): number {
  const name = readdirSync(folder).find((name) => name.endsWith('.records'))!;
  const bytes = Buffer.alloc(2 ** 26);
  const file = openSync(join(folder, name), 'r');
  const length = readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(1, -1);
  const before = process.cpuUsage();
  for (const line of lines) hash('sha256', JSON.stringify(JSON.parse(line)), 'buffer');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / lines.length;
}

if (!existsSync(join(folder, 'counts.json'))) await makeDay();
// Measures the floor before and after, because the machine's speed changes within seconds.
const floorBefore = floorOfRecord();
const before = process.cpuUsage();
const started = performance.now();
const { verdict } = verifyBookFiles(listBookFiles([folder]), { kept: [] });
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(before);
const counts: Record<string, number> = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
const records = Object.values(counts).reduce((sum, count) => sum + count);
const floor = (records * (floorBefore + floorOfRecord())) / 2;
const ratio = (user + system) / floor;
console.log(JSON.stringify(counts));
console.log(`${verdict}: ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU`);
console.log(`${ratio.toFixed(2)} times the CPU that parsing and hashing each record takes`);
console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MiB at most`);
