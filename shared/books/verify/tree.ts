/** Builds the Merkle tree of a records file from the workers' results. Checks that the records are in order. */

import { leafKinds } from '../../vocabulary.ts';
import type { Report } from '../check/findings.ts';
import { newTree, type Tree } from '../tree.ts';
import type { RecordsFile } from './book-files.ts';
import { type Chunk, chunksAtOnce, type ReadFault, readChunks } from './chunks.ts';
import { readSlot } from './worker-slice.ts';

/** The number of records in a file and their Merkle root. With a `fault`, reading stopped early. */
export type ReadTree = { size: number; root: Buffer; fault: ReadFault | undefined };

/** Returns the functions that record findings about one line. `record` is the id of the line's record. */
type LineReport = (line: number, record: string) => Report;

/**
 * Passes a file's chunks to `check` and returns the Merkle tree of all lines. Reports records that are out of
 * order.
 */
export async function readTree(
  { path, next }: RecordsFile,
  maxLines: number,
  check: (chunk: Chunk) => Promise<unknown>,
  report: LineReport,
  onProgress: (bytes: number) => void,
): Promise<ReadTree> {
  const tree = newTree();
  const waiting: { chunk: Chunk; checked: Promise<unknown> }[] = [];
  let last: Uint8Array = new Uint8Array();
  const takeFirst = async () => {
    const { chunk, checked } = waiting.shift()!;
    await checked;
    last = addChunk(tree, chunk, last, report);
    onProgress(chunk.bytes.length);
  };
  const chunks = readChunks(path, next, maxLines);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) {
      while (waiting.length > 0) await takeFirst();
      return { size: tree.size(), root: tree.root(), fault: value };
    }
    const checked = check(value);
    // Prevents an unhandled rejection. `takeFirst` awaits the same promise later and throws the error.
    checked.catch(() => {});
    waiting.push({ chunk: value, checked });
    if (waiting.length > chunksAtOnce) await takeFirst();
  }
}

/** Adds a chunk's hashes to the tree and reports records out of order. Returns the last valid record's sort key. */
function addChunk(
  tree: Tree,
  { ends, first, slots }: Chunk,
  last: Uint8Array,
  report: LineReport,
): Uint8Array {
  let before = last;
  for (let i = 0; i < ends.length; i++) {
    const { leaf, sortKey } = readSlot(slots, i);
    // Copies the hash, because the tree may keep it, and a view would keep all of the chunk's results in memory.
    tree.add(leaf.slice());
    if (sortKey.length === 0) continue;
    if (Buffer.compare(sortKey, before) <= 0) {
      report(first + i, idOf(sortKey)).finding(
        'records_out_of_order',
        `The record comes after ${idOf(before)}.`,
      );
    }
    before = sortKey;
  }
  return before.slice();
}

const prefixes = {
  entries: 'txn',
  operations: 'op',
  orders: 'ord',
  outcomes: 'out',
  tickets: 'txn',
} as const;

function idOf(sortKey: Uint8Array): string {
  const kind = leafKinds[sortKey[26]! - 1]!;
  return `${prefixes[kind]}_${Buffer.from(sortKey.subarray(0, 26)).toString('latin1')}`;
}
