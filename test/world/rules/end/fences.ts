/** The rule of fences: they are what they would be, were they made anew from the rows of today. */
import { crc32 } from 'node:zlib';
import type { StoredItem } from '../../journal.ts';
import { isSame } from '../texts.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule } from './world.ts';

/** Rows between two fences, and one in how many rows begins a block. */
const [fence, block] = [16, 4096];

type Row = { ulid: string; list: number };
/** The fences of a block, as they are stored. */
export type Block = { first: string; counts: number[]; keys: string[]; shares: number[] };

/** The shortest beginning of a ULID that sorts after the one before it. */
function shortest(before: string, ulid: string): string {
  const length = [...ulid].findIndex((digit, index) => digit !== before[index]);
  return ulid.slice(0, length + 1);
}

/**
 * The fences of rows, given oldest first: a row whose ULID's checksum says so begins a block; within a block there is a
 * fence before each row after 64 others. The rows of the last block that has 64 of them have fences as far as they fill
 * whole stretches, and so have all rows before that block; what follows has none yet.
 */
export function fencesOf(rows: Row[], lists: number): { last: string; blocks: Block[] } {
  const stretches: { first: string; rows: Row[] }[] = [{ first: '0', rows: [] }];
  for (const row of rows) {
    if (crc32(row.ulid) % block === 0) stretches.push({ first: row.ulid, rows: [] });
    stretches.at(-1)!.rows.push(row);
  }
  const lastFull = stretches.findLastIndex((one) => one.rows.length >= fence);
  const fenced = stretches.slice(0, Math.max(1, lastFull + 1)).map((one, index) => {
    const whole = lastFull < 0 ? 0 : one.rows.length - (index === lastFull ? one.rows.length % fence : 0);
    return { first: one.first, rows: one.rows.slice(0, whole) };
  });
  const last = fenced.flatMap((one) => one.rows.slice(-1)).at(-1)?.ulid ?? '';
  return { last, blocks: fenced.map((one) => blockOf(one.first, one.rows, lists)) };
}

function blockOf(first: string, rows: Row[], lists: number): Block {
  const made: Block = { first, counts: Array(lists).fill(0), keys: [], shares: [] };
  rows.forEach(({ ulid, list }, index) => {
    if (index > 0 && index % fence === 0) {
      made.keys.push(shortest(rows[index - 1]!.ulid, ulid));
      if (lists > 1) made.shares.push(made.counts[0]!);
    }
    made.counts[list]!++;
  });
  return made;
}

/** The reports, and the lists of records that each has. */
const reports = { tickets: ['tickets'], entries: ['truck', 'flight'], outcomes: ['outcomes'] };

/** Fences are made a minute after their rows, and looked over every 15 minutes. */
const drainedMs = 45 * 60_000;

/**
 * The fences of each report, head and blocks together, are those that follow from its rows: of all rows if the last one
 * is old enough, else of those up to the last one that has a fence.
 */
const asMadeAnew: EndRule = {
  rule: 'fences are those made anew',
  check(world, say) {
    const rows = groupBy(world.of('record'), ({ organization_id, kind }) =>
      // No report shows orders.
      kind === 'orders' ? undefined : `${organization_id}#${kind}`,
    );
    for (const [name, records] of rows) {
      const lists = reports[name.split('#')[1] as keyof typeof reports];
      const all = records
        .map(({ byTimeSk, entry_type = lists[0] }) => ({ ulid: byTimeSk, list: lists.indexOf(entry_type) }))
        .sort((a, b) => (a.ulid < b.ulid ? -1 : 1));
      const head = world.item(`FENCES#${name}`, 'HEAD');
      const newest = Math.max(...records.map(({ date_created }) => Date.parse(date_created)));
      const isDrained = newest + drainedMs < world.now;
      const last = head?.last ?? '';
      const expected = fencesOf(isDrained ? all : all.filter(({ ulid }) => ulid <= last), lists.length);
      const stored = storedUnder(head, (first) => world.item(`FENCES#${name}`, `BLOCK#${first}`));
      if (expected.last !== last) say(`${name} has fences up to ${last}, of rows up to ${expected.last}`);
      else if (last !== '' && !isSame(stored, expected.blocks))
        say(`${name} has other fences than its rows say`);
      if (isDrained && !world.item('REPORTS', name)) say(`${name} is not known to have rows`);
    }
  },
};

/** The blocks that a head knows, with the counts that it says. */
function storedUnder(
  head: StoredItem | undefined,
  blockAt: (first: string) => StoredItem | undefined,
): object[] {
  return (head?.firsts ?? []).map((first: string, index: number) => {
    const stored = blockAt(first);
    const said = head!.counts.map((list: number[]) => list[index]);
    const counts = isSame(stored?.counts, said) ? said : undefined;
    return { first, counts, keys: stored?.keys, shares: stored?.shares };
  });
}

export const fenceRules = [asMadeAnew];
