import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  inclusionPath,
  leafHash,
  newMerkleTree,
  nodeHash,
  rootFromPath,
  rootOfLeaves,
} from '../../shared/tree.ts';

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Buffer.from(text, 'hex');

/**
 * Test vectors of the certificate-transparency project: eight leaves in hex, and the root over the first n
 * leaves for each n.
 */
const lines = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(bytes);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const paths = [
  { index: 0, size: 1, path: [] },
  {
    index: 0,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    index: 5,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  { index: 2, size: 3, path: [roots[2]!] },
  {
    index: 1,
    size: 5,
    path: [
      roots[1]!,
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
];

describe('the tree of RFC 6962', () => {
  test('has the roots of the certificate-transparency vectors', () => {
    for (const [size, root] of roots.entries()) {
      expect(hex(rootOfLeaves(lines.slice(0, size).map(leafHash)))).toBe(root);
    }
  });

  test.each(paths)('has the path of leaf $index of $size in these vectors', ({ index, size, path }) => {
    const leaves = lines.slice(0, size).map(leafHash);
    expect(inclusionPath(index, leaves).map(hex)).toEqual(path);
    expect(hex(rootFromPath(leaves[index]!, index, size, path.map(bytes)))).toBe(roots[size]);
  });

  test('hashes a text as UTF-8', () => {
    expect(leafHash('{"é":1}')).toEqual(leafHash(Buffer.from('{"é":1}')));
  });
});

const leavesOf = (count: number) => Array.from({ length: count }, (_, i) => leafHash(`line ${i}`));
function rootByDefinition(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(rootByDefinition(leaves.slice(0, k)), rootByDefinition(leaves.slice(k)));
}

describe('a tree that grows', () => {
  test('has the root of the RFC’s definition at every size', () => {
    const tree = newMerkleTree();
    const leaves = leavesOf(70);
    for (const [size, leaf] of leaves.entries()) {
      expect(tree.root()).toEqual(rootByDefinition(leaves.slice(0, size)));
      tree.add(leaf);
    }
  });
});

describe('a path', () => {
  test('leads from every leaf to the root, and from no other index', () => {
    for (let size = 1; size <= 33; size++) {
      const leaves = leavesOf(size);
      const root = rootOfLeaves(leaves);
      for (let index = 0; index < size; index++) {
        const path = inclusionPath(index, leaves);
        expect(rootFromPath(leaves[index]!, index, size, path)).toEqual(root);
        const elsewhere = (index + 1) % size;
        if (elsewhere !== index) {
          expect(rootFromPath(leaves[index]!, elsewhere, size, path)).not.toEqual(root);
        }
      }
    }
  });

  test('of the wrong length leads to no root', () => {
    const leaves = leavesOf(5);
    const path = inclusionPath(1, leaves);
    expect(rootFromPath(leaves[1]!, 1, 5, path.slice(1))).toBeUndefined();
    expect(rootFromPath(leaves[1]!, 1, 5, [...path, path[0]!])).toBeUndefined();
    for (const [index, size] of [
      [5, 5],
      [-1, 5],
      [0, 0],
      [0.5, 1],
      [Number.NaN, 5],
    ] as const) {
      expect(rootFromPath(leaves[1]!, index, size, path)).toBeUndefined();
    }
  });

  test('leads to the root only from its own leaf', () => {
    const leaves = leavesOf(6);
    expect(rootFromPath(leaves[0]!, 1, 6, inclusionPath(1, leaves))).not.toEqual(rootOfLeaves(leaves));
    expect(() => inclusionPath(6, leaves)).toThrow('no leaf');
  });
});
