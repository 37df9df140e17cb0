/** Files of records, read in chunks of whole lines into memory that several threads share. */
import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { mostOfHead } from '../../shared/books/book.ts';
import { mostOfLeaf } from '../../shared/books/leaves.ts';

/** Lines of a file. All arrays lie in shared memory. */
export type Chunk = {
  bytes: Uint8Array;
  /** Where each line ends, its newline aside; the next one begins behind that. */
  ends: Int32Array;
  /** The number in the file of the first of the lines, from 1. */
  first: number;
  isUtf8: boolean;
  /** What is left here of each line once it is checked: see `worker-slice.ts`. */
  slots: Uint8Array;
};

/** Why a file could not be read to its end. */
export type ReadFault = 'cut_off' | 'enormous';

/** What was at the beginning of a file: its first line, and where the second one begins. */
export type FirstLine = { line: string; next: number } | { fault: ReadFault | 'not_a_book' };

// Each chunk has at least one line: that is its most, and a line's most is a fourth of it.
const chunkBytes = 4 * mostOfLeaf;
/** So many chunks can be looked at while the next one is read. */
export const chunksAtOnce = 2;
/** So many bytes are left of each line once it is checked. */
export const slotBytes = 59;
const newline = 10;

/** Reads the first line of a file, which may be longer than the others. Throws as the file system does. */
export async function readFirstLine(path: string): Promise<FirstLine> {
  const file = await open(path);
  try {
    for (let size = 2 ** 16; ; size = Math.min(16 * size, mostOfHead + 1)) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(newline);
      if (end < 0 && bytesRead > mostOfHead) return { fault: 'enormous' };
      if (end >= 0) {
        const line = buffer.subarray(0, end);
        return isUtf8(line) ? { line: line.toString(), next: end + 1 } : { fault: 'not_a_book' };
      }
      if (bytesRead < size) return { fault: 'cut_off' };
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads the lines of a file from a position on, which is where its second line begins. Returns a fault if there is one,
 * with what is before it read. Of the chunks, only the last `chunksAtOnce` are good at a time.
 */
export async function* readChunks(path: string, from: number): AsyncGenerator<Chunk, ReadFault | undefined> {
  const file = await open(path);
  try {
    return yield* chunksOf(file, from);
  } finally {
    await file.close();
  }
}

async function* chunksOf(file: FileHandle, from: number): AsyncGenerator<Chunk, ReadFault | undefined> {
  const buffers = Array.from({ length: chunksAtOnce + 1 }, () => sharedBytes(chunkBytes));
  let left: Uint8Array = new Uint8Array();
  let first = 2;
  for (let position = from, turn = 0; ; turn++) {
    const buffer = buffers[turn % buffers.length]!;
    buffer.set(left);
    const read = await fill(file, buffer, left.length, position);
    position += read;
    const filled = left.length + read;
    const ends = lineEndsIn(buffer, filled);
    const length = ends.length > 0 ? ends.at(-1)! + 1 : 0;
    if (longestOf(ends, filled) > mostOfLeaf) return 'enormous';
    if (ends.length > 0) {
      yield chunkOf(buffer.subarray(0, length), ends, first);
      first += ends.length;
    }
    // The buffer is filled anew while checkers may still look at this one.
    left = buffer.slice(length, filled);
    if (filled < buffer.length) return left.length > 0 ? 'cut_off' : undefined;
  }
}

async function fill(file: FileHandle, buffer: Uint8Array, start: number, position: number): Promise<number> {
  let at = start;
  while (at < buffer.length) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, position + at - start);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at - start;
}

function lineEndsIn(bytes: Uint8Array, length: number): number[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  const ends: number[] = [];
  for (let end = lines.indexOf(newline); end >= 0; end = lines.indexOf(newline, end + 1)) ends.push(end);
  return ends;
}

/** The length of the longest line, the one that has no end yet included. */
function longestOf(ends: readonly number[], filled: number): number {
  let [start, longest] = [0, 0];
  for (const end of [...ends, filled]) {
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return longest;
}

function chunkOf(bytes: Uint8Array, ends: readonly number[], first: number): Chunk {
  const shared = new Int32Array(new SharedArrayBuffer(4 * ends.length));
  shared.set(ends);
  return {
    bytes,
    ends: shared,
    first,
    isUtf8: isUtf8(bytes),
    slots: sharedBytes(slotBytes * ends.length),
  };
}

const sharedBytes = (length: number) => new Uint8Array(new SharedArrayBuffer(length));
