/** A share of the check of records: each user's records are checked in one share, and each share sees all chunks. */
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
import { idOfLeaf, leafKinds, mostOfLeaf } from '../../shared/books/leaves.ts';
import { ulidOf } from '../../shared/ids.ts';
import { type Chunk, slotBytes } from './chunks.ts';

/** What a share can be asked for, one after the other. Arguments and results are plain data. */
export type Slice = {
  /** Begins a day; the first one of an organization if it is `fresh`. */
  begin: (day: DayToCheck, fresh: boolean) => void;
  /** Checks the lines of a chunk that are of this share, and leaves what each is in its slot. */
  check: (chunk: Chunk) => void;
  end: () => DayFacts;
  /** The free spins of all days that are of no order of their user. */
  strays: () => StraySpin[];
  ordersAmong: (ids: ReadonlySet<string>) => string[];
  openOrders: (until: string) => OpenOrder[];
};

/** Slice number `index` of so many. */
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

// A leaf's hash begins with a zero.
const scratch = Buffer.alloc(mostOfLeaf + 1);

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

/** Canonical JSON of a user's record ends with the user's id, of whose last character the share follows. */
const sliceOf = (chunk: Buffer, end: number, of: number): number =>
  of === 1 ? 0 : (chunk[end - 3] ?? 0) % of;

function writeSlot(slots: Uint8Array, i: number, leaf: string, id: [number, string] | undefined) {
  const at = i * slotBytes;
  // As a text of bytes, which costs less than a buffer.
  for (let c = 0; c < leaf.length; c++) slots[at + c] = leaf.charCodeAt(c);
  if (!id) return;
  const [kind, ulid] = id;
  for (let c = 0; c < ulid.length; c++) slots[at + 32 + c] = ulid.charCodeAt(c);
  slots[at + 32 + 26] = kind + 1;
}

/** What a share left of a line: the hash of its leaf, and what its place is by, a ULID and a kind; that is empty for none. */
export function readSlot(slots: Uint8Array, i: number): { leaf: Uint8Array; sortKey: Uint8Array } {
  const at = i * slotBytes;
  const sortKey = slots.subarray(at + 32, at + slotBytes);
  return { leaf: slots.subarray(at, at + 32), sortKey: sortKey[26] ? sortKey : sortKey.subarray(0, 0) };
}
