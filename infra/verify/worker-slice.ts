/**
 * One worker's slice of the users. Every worker reads all chunks, and checks only the records of its own
 * users.
 */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import {
  type Checking,
  type DayFacts,
  type DayToCheck,
  goOnTo,
  newChecking,
  type StraySpin,
} from '../../shared/books/check/day.ts';
import {
  checkLine,
  endDay,
  type OpenOrder,
  openOrders,
  ordersAmong,
} from '../../shared/books/check/records.ts';
import { idOfLeaf, leafKinds, maxLeafBytes } from '../../shared/books/leaves.ts';
import { ulidOf } from '../../shared/ids.ts';
import { type Chunk, slotBytes } from './chunks.ts';

/** Calls to a slice. Arguments and results are plain data, so that they can be posted between threads. */
export type Slice = {
  /**
   * Starts a day. `fresh` marks the first day of an organization, and discards the state of the previous
   * organization.
   */
  begin: (day: DayToCheck, fresh: boolean) => void;
  /** Checks the chunk's lines of this slice, and writes each result to the line's slot. */
  check: (chunk: Chunk) => void;
  end: () => DayFacts;
  /** Free spins of all days whose order is not among the orders of their user. */
  strays: () => StraySpin[];
  ordersAmong: (ids: ReadonlySet<string>) => string[];
  openOrders: (until: string) => OpenOrder[];
};

/** Creates slice `index` (from 0) of `of` slices. */
export function newSlice(index: number, of: number): Slice {
  let checking: Checking;
  return {
    begin: (day, fresh) => {
      if (fresh) checking = newChecking(day);
      else goOnTo(checking, day);
    },
    check: (chunk) => checkChunk(checking, chunk, index, of),
    end: () => endDay(checking),
    strays: () => checking.strays,
    ordersAmong: (ids) => ordersAmong(checking, ids),
    openOrders: (until) => openOrders(checking, until),
  };
}

// Buffer for hashing a line: RFC 6962 prefixes each leaf with a zero byte.
const scratch = Buffer.alloc(maxLeafBytes + 1);

function checkChunk(
  checking: Checking,
  { bytes, ends, first, isUtf8: isText, slots }: Chunk,
  index: number,
  of: number,
) {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0, start = 0; i < ends.length; i++) {
    const end = ends[i]!;
    if (sliceOf(chunk, end, of) === index) {
      const line = isText || isUtf8(chunk.subarray(start, end)) ? chunk.toString('utf8', start, end) : '';
      const leaf = checkLine(checking, line, first + i);
      chunk.copy(scratch, 1, start, end);
      const leafHash = hash('sha256', scratch.subarray(0, end - start + 1), 'binary');
      writeSlot(slots, i, leafHash, leaf && [leafKinds.indexOf(leaf.kind), ulidOf(idOfLeaf(leaf))]);
    }
    start = end + 1;
  }
}

/**
 * Returns the slice of a line's user: the last character of the user id, modulo the number of slices. In
 * canonical JSON, a user's record ends with `"user_id":"…"}`.
 */
const sliceOf = (chunk: Buffer, end: number, of: number): number =>
  of === 1 ? 0 : (chunk[end - 3] ?? 0) % of;

function writeSlot(slots: Uint8Array, i: number, leaf: string, id: [number, string] | undefined) {
  const at = i * slotBytes;
  // The hash is a binary string, which costs less than a Buffer.
  for (let c = 0; c < leaf.length; c++) slots[at + c] = leaf.charCodeAt(c);
  if (!id) return;
  const [kind, ulid] = id;
  for (let c = 0; c < ulid.length; c++) slots[at + 32 + c] = ulid.charCodeAt(c);
  slots[at + 32 + 26] = kind + 1;
}

/**
 * Reads a line's slot: the hash of its leaf, and its sort key (ULID and kind). The sort key is empty if the
 * line is not a record.
 */
export function readSlot(slots: Uint8Array, i: number): { leaf: Uint8Array; sortKey: Uint8Array } {
  const at = i * slotBytes;
  const sortKey = slots.subarray(at + 32, at + slotBytes);
  return { leaf: slots.subarray(at, at + 32), sortKey: sortKey[26] ? sortKey : sortKey.subarray(0, 0) };
}
