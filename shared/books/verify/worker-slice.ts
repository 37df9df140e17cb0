/** Checks one slice of the users. Each worker gets all chunks, but checks only the records of this slice. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { ulidOf } from '../../ids.ts';
import { leafKinds } from '../../vocabulary.ts';
import { type OrdersToClose, ordersToClose } from '../check/closed-orders.ts';
import {
  type Checking,
  type DayFacts,
  type DayToCheck,
  newChecking,
  type StraySpin,
  startDay,
} from '../check/day.ts';
import { checkLine, endDay, type OpenOrder, openOrders, ordersAmong } from '../check/records.ts';
import { idOfLeaf, maxLeafBytes } from '../leaves.ts';
import { type Chunk, slotBytes } from './chunks.ts';

/**
 * The functions that check one slice of the users. Arguments and results are plain data, so that they can be sent
 * between threads.
 */
export type Slice = {
  /** Starts a day. On an organization's first day, `fresh` is true and discards the previous organization's state. */
  begin: (day: DayToCheck, fresh: boolean) => void;
  /** Checks those lines of a chunk that belong to this slice. Writes each line's result to the line's slot. */
  check: (chunk: Chunk) => void;
  end: () => DayFacts;
  /** Returns the free spins, on all days so far, whose order is missing from their user's history. */
  strays: () => StraySpin[];
  ordersAmong: (ids: ReadonlySet<string>) => string[];
  openOrders: (until: string) => OpenOrder[];
  ordersToClose: () => OrdersToClose;
};

/** Creates a slice. `index` is its number (from 0), and `count` is the number of slices. */
export function newSlice(index: number, count: number): Slice {
  let checking: Checking;
  return {
    begin: (day, fresh) => {
      if (fresh) checking = newChecking(day);
      else startDay(checking, day);
    },
    check: (chunk) => checkChunk(checking, chunk, index, count),
    end: () => endDay(checking),
    strays: () => checking.strays,
    ordersAmong: (ids) => ordersAmong(checking, ids),
    openOrders: (until) => openOrders(checking, until),
    ordersToClose: () => ordersToClose(checking),
  };
}

// Buffer for hashing. The first byte stays 0, because RFC 6962 puts a zero byte before each leaf.
const scratch = Buffer.alloc(maxLeafBytes + 1);

function checkChunk(
  checking: Checking,
  { bytes, ends, first, isUtf8: isText, slots }: Chunk,
  index: number,
  count: number,
) {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0, start = 0; i < ends.length; i++) {
    const end = ends[i]!;
    if (sliceOf(chunk, end, count) === index) {
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
 * Returns a line's slice: the user id's last character modulo `count`. Users' records end with `"user_id":"…"}`; any
 * slice can check operations.
 */
const sliceOf = (chunk: Buffer, end: number, count: number): number =>
  count === 1 ? 0 : (chunk[end - 3] ?? 0) % count;

function writeSlot(slots: Uint8Array, i: number, leaf: string, id: [number, string] | undefined) {
  const at = i * slotBytes;
  // `leaf` is the hash as a binary string, because creating a string is faster than creating a Buffer.
  for (let c = 0; c < leaf.length; c++) slots[at + c] = leaf.charCodeAt(c);
  if (!id) return;
  const [kind, ulid] = id;
  for (let c = 0; c < ulid.length; c++) slots[at + 32 + c] = ulid.charCodeAt(c);
  slots[at + 32 + 26] = kind + 1;
}

/** Reads the leaf hash and sort key (ULID and kind) of line `i`. The sort key of an invalid record is empty. */
export function readSlot(slots: Uint8Array, i: number): { leaf: Uint8Array; sortKey: Uint8Array } {
  const at = i * slotBytes;
  const sortKey = slots.subarray(at + 32, at + slotBytes);
  return { leaf: slots.subarray(at, at + 32), sortKey: sortKey[26] ? sortKey : sortKey.subarray(0, 0) };
}
