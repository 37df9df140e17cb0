/** Builds the Merkle tree of RFC 6962 over lines of text, one leaf at a time. */
import { hash } from 'node:crypto';

// Requests the hash as a binary string and converts it to a buffer, because `hash` returns buffers more
// slowly.
const digest = (...parts: Uint8Array[]): Buffer =>
  Buffer.from(hash('sha256', Buffer.concat(parts), 'binary'), 'binary');
const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

/** `line` is without its newline. */
export const leafHash = (line: string | Uint8Array): Buffer =>
  digest(leafPrefix, typeof line === 'string' ? Buffer.from(line) : line);

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => digest(nodePrefix, left, right);

export type MerkleTree = {
  add: (leaf: Uint8Array) => void;
  size: () => number;
  root: () => Buffer;
};

export function newMerkleTree(): MerkleTree {
  let size = 0;
  const edge: Uint8Array[] = [];
  return {
    add(leaf) {
      let whole = leaf;
      // Two complete subtrees of the same size merge into one complete subtree of twice the size.
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

export function rootOfLeaves(leaves: readonly Uint8Array[]): Buffer {
  const tree = newMerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

/** Returns a leaf's inclusion path, from the bottom up. Throws if no leaf has the index. */
export function inclusionPath(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (!(index >= 0 && index < leaves.length)) throw new Error(`the tree has no leaf ${index}`);
  if (leaves.length === 1) return [];
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return index < left
    ? [...inclusionPath(index, leaves.slice(0, left)), rootOfLeaves(leaves.slice(left))]
    : [...inclusionPath(index - left, leaves.slice(left)), rootOfLeaves(leaves.slice(0, left))];
}

/** Returns the root from a leaf's hash and path (RFC 9162, 2.1.3.2). */
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
      // A node on the right edge that has no sibling moves up one level unchanged.
      while (at % 2 === 0 && at !== 0) [at, last] = above(at, last);
    } else hash = nodeHash(hash, other);
    [at, last] = above(at, last);
  }
  return last === 0 ? hash : undefined;
}

const above = (at: number, last: number): [number, number] => [Math.floor(at / 2), Math.floor(last / 2)];
