/** The Merkle tree of RFC 6962 over lines of text, built leaf by leaf. */
import { hash } from 'node:crypto';

// As a text of bytes in between, which costs less than to have a buffer from there.
const digest = (...parts: Uint8Array[]): Buffer =>
  Buffer.from(hash('sha256', Buffer.concat(parts), 'binary'), 'binary');
const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

/** The hash of a leaf: of its line, without the newline that ends it in a file. */
export const leafHash = (line: string | Uint8Array): Buffer =>
  digest(leafPrefix, typeof line === 'string' ? Buffer.from(line) : line);

/** The hash of a node, of those below it. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => digest(nodePrefix, left, right);

/** A tree that grows. */
export type Tree = {
  /** Adds the next leaf, by its hash. */
  add: (leaf: Uint8Array) => void;
  size: () => number;
  /** The root over all leaves so far. */
  root: () => Buffer;
};

/** A tree without leaves. It keeps what stands on its right edge, the largest whole tree first, and nothing else. */
export function newTree(): Tree {
  let size = 0;
  const edge: Uint8Array[] = [];
  return {
    add(leaf) {
      let whole = leaf;
      // Two whole trees of one size are a whole one of twice the size.
      for (let below = 1; Math.floor(size / below) % 2 === 1; below *= 2)
        whole = nodeHash(edge.pop()!, whole);
      edge.push(whole);
      size++;
    },
    size: () => size,
    root: () => rootOf(edge),
  };
}

function rootOf(edge: readonly Uint8Array[]): Buffer {
  const last = edge.at(-1);
  if (!last) return digest();
  return Buffer.from(edge.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last));
}

/** The root over leaves, by their hashes. */
export function rootOver(leaves: readonly Uint8Array[]): Buffer {
  const tree = newTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

/** The path from a leaf to the root over all leaves, from below: the hashes that its own is put together with. */
export function pathFrom(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (!(index >= 0 && index < leaves.length)) throw new Error(`there is no leaf ${index}`);
  if (leaves.length === 1) return [];
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return index < left
    ? [...pathFrom(index, leaves.slice(0, left)), rootOver(leaves.slice(left))]
    : [...pathFrom(index - left, leaves.slice(left)), rootOver(leaves.slice(0, left))];
}

/**
 * The root that a path leads to from a leaf, which is one of `size` and stands at `index` (from 0); undefined if the
 * path is not as long as there it must be. RFC 9162, 2.1.3.2.
 */
export function rootFromPath(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Buffer | undefined {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return;
  let hash: Buffer = Buffer.from(leaf);
  let [at, last] = [index, size - 1];
  for (const other of path) {
    if (last === 0) return;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(other, hash);
      // On the right edge a node without a sibling rises as it is.
      while (at % 2 === 0 && at !== 0) [at, last] = above(at, last);
    } else hash = nodeHash(hash, other);
    [at, last] = above(at, last);
  }
  return last === 0 ? hash : undefined;
}

const above = (at: number, last: number): [number, number] => [Math.floor(at / 2), Math.floor(last / 2)];
