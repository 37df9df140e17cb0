/** Reads records files in chunks of whole lines, into memory that all worker threads share. */
import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { maxRecordsHeadBytes } from '../book.ts';
import { maxLeafBytes } from '../leaves.ts';

/** A chunk of whole lines from a records file. Its arrays are in shared memory. */
export type Chunk = {
  bytes: Uint8Array;
  /** The byte offset of each line's newline. The next line starts one byte later. */
  ends: Int32Array;
  /** The number of the chunk's first line in the file, counted from 1. */
  first: number;
  isUtf8: boolean;
  /** Memory to which workers write the result of each line. Each result has `slotBytes` bytes. */
  slots: Uint8Array;
};

/** The reason why a file could not be read to its end. */
export type ReadFault = 'cut_off' | 'too_large' | 'too_many_lines';

/** The first line and the byte offset of the second line, or why the first line was not read. */
type FirstLine = { line: string; next: number } | { fault: 'cut_off' | 'too_large' | 'not_a_book' };

// Size of a chunk in bytes. A line has at most a quarter of this size, so a chunk contains at least one whole line.
const chunkBytes = 4 * maxLeafBytes;
// Reads at most this many lines more than the book counts, so that findings can name surplus lines.
const surplusLines = 1000;
/** The number of chunks that workers may check while the next chunk is read. */
export const chunksAtOnce = 2;
/** Bytes of a line's result: a SHA-256 hash (32), a ULID (26) and a record kind (1). */
export const slotBytes = 59;
const newline = 10;

/** Reads a file's first line, which may be longer than other lines. Throws errors of the file system. */
export async function readFirstLine(path: string): Promise<FirstLine> {
  const file = await open(path);
  try {
    for (let size = 2 ** 16; ; size = Math.min(16 * size, maxRecordsHeadBytes + 1)) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(newline);
      if (end < 0 && bytesRead > maxRecordsHeadBytes) return { fault: 'too_large' };
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
 * Yields a file's lines in chunks, from byte offset `from`. Buffers are reused: only the last `chunksAtOnce` chunks
 * stay valid.
 */
export async function* readChunks(
  path: string,
  from: number,
  maxLines: number,
): AsyncGenerator<Chunk, ReadFault | undefined> {
  const file = await open(path);
  try {
    return yield* chunksOf(file, from, maxLines);
  } finally {
    await file.close();
  }
}

async function* chunksOf(
  file: FileHandle,
  from: number,
  maxLines: number,
): AsyncGenerator<Chunk, ReadFault | undefined> {
  // Allocates one byte more than the rest of the file has: a buffer that is not filled completely shows the end of the
  // file.
  const bytes = Math.min(chunkBytes, Math.max(0, (await file.stat()).size - from) + 1);
  const buffers = Array.from({ length: chunksAtOnce + 1 }, () => sharedBytes(bytes));
  let left: Uint8Array = new Uint8Array();
  let first = 2;
  for (let position = from, turn = 0; ; turn++) {
    const buffer = buffers[turn % buffers.length]!;
    buffer.set(left);
    const read = await fill(file, buffer, left.length, position);
    position += read;
    const filled = left.length + read;
    const allEnds = lineEndsIn(buffer, filled);
    const ends = allEnds.slice(0, maxLines + surplusLines - (first - 2));
    const length = ends.length > 0 ? ends.at(-1)! + 1 : 0;
    if (longestOf(allEnds, filled) > maxLeafBytes) return 'too_large';
    if (ends.length > 0) {
      yield chunkOf(buffer.subarray(0, length), ends, first);
      first += ends.length;
    }
    if (ends.length < allEnds.length) return 'too_many_lines';
    // Copies the incomplete last line, which becomes the start of the next chunk.
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

/** Returns the length of the longest line in bytes. An incomplete last line counts too. */
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
