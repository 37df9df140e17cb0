import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { StoredItem } from '../../journal.ts';
import { organizationId, start, ulidOf } from '../examples.ts';
import { shortId } from '../stored.ts';
import { type Example, itemAt, rulesBrokenBy } from './examples.ts';
import { type Block, fencesOf, type Sizes, treeOf } from './fences.ts';

const rule = 'fences are those made anew';
const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    ulid: ulidOf(start + from + index, 1),
    list: index % 3 ? 0 : 1,
  }));
/** The time after a number of milliseconds whose ULID begins a block. */
const blockAt = (after: number) => {
  let at = after;
  while (crc32(ulidOf(start + at, 1)) % 4096 !== 0) at++;
  return at;
};

describe('the fences of rows', () => {
  test('are none while there are fewer than 16', () => {
    expect(fencesOf(rowsOf(15), 1)).toEqual({
      last: '',
      blocks: [{ first: '0', counts: [0], keys: [], shares: [] }],
    });
  });

  test('are before every 16th, with the rows of the first list before each', () => {
    const rows = rowsOf(50);
    const { last, blocks } = fencesOf(rows, 2);
    expect(last).toBe(rows[47]!.ulid);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]!.counts).toEqual([32, 16]);
    // Before the 16th row (0, 3, 6 … are of the second list) lie 6 of the second list.
    expect(blocks[0]!.shares).toEqual([10, 21]);
    for (const [index, key] of blocks[0]!.keys.entries()) {
      expect(key > rows[16 * (index + 1) - 1]!.ulid && key <= rows[16 * (index + 1)]!.ulid).toBe(true);
      expect(key.slice(0, -1) > rows[16 * (index + 1) - 1]!.ulid).toBe(false);
    }
  });

  test('begin anew in a block, once it has 16 rows itself', () => {
    const at = blockAt(20);
    const before = rowsOf(20);
    const one = fencesOf([...before, ...rowsOf(15, at)], 2);
    expect(one.blocks.map(({ counts }) => counts[0]! + counts[1]!)).toEqual([16]);
    const two = fencesOf([...before, ...rowsOf(16, at)], 2);
    expect(two.blocks.map(({ counts }) => counts[0]! + counts[1]!)).toEqual([20, 16]);
    expect(two.blocks[1]!.first).toBe(ulidOf(start + at, 1));
    expect(two.blocks[0]!.keys).toHaveLength(1);
  });
});

describe('the tree over blocks', () => {
  const sizes = { fence: 1, block: 1, nodes: [2, 4], blocks: 2 };
  /** Blocks whose checksums say that they begin a node of a level, or none (0). */
  const blocksOf = (levels: number[]) => {
    let at = 0;
    return levels.map((level): Block => {
      do at++;
      while (levelOf(ulidOf(start + at, 1)) !== level);
      return { first: ulidOf(start + at, 1), counts: [1], keys: [], shares: [] };
    });
  };
  const levelOf = (ulid: string) => (crc32(ulid) % 4 === 0 ? 2 : crc32(ulid) % 2 === 0 ? 1 : 0);

  test('has none while there are few', () => {
    const { nodes, head } = treeOf(blocksOf([0, 1]), sizes);
    expect([nodes, head.map(({ level }) => level)]).toEqual([[], [0, 0]]);
  });

  test('has none while nothing has ended', () => {
    const blocks = blocksOf([0, 0, 0]);
    const { nodes, head } = treeOf(blocks, sizes);
    expect([nodes, head.map(({ level }) => level)]).toEqual([[], [0, 0, 0]]);
  });

  test('has a node of each stretch that another one follows', () => {
    const { nodes, head } = treeOf(blocksOf([0, 0, 1, 0, 1, 0]), sizes);
    expect(nodes.map(({ level, children }) => [level, children.length])).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(head.map(({ level, counts }) => [level, counts])).toEqual([
      [1, [2]],
      [1, [2]],
      [0, [1]],
      [0, [1]],
    ]);
  });

  test('has a node of nodes where one of its level follows', () => {
    const blocks = blocksOf([0, 1, 0, 2, 0, 1]);
    const { nodes, head } = treeOf(blocks, sizes);
    expect(nodes.map(({ level, children }) => [level, children.length])).toEqual([
      [1, 1],
      [1, 2],
      [1, 2],
      [2, 2],
    ]);
    expect(head.map(({ first, level, counts }) => [first, level, counts])).toEqual([
      [blocks[0]!.first, 2, [3]],
      [blocks[3]!.first, 1, [2]],
      [blocks[5]!.first, 0, [1]],
    ]);
  });
});

describe('it is found that', () => {
  /** Gives the example's report of entries some rows, and the fences that they have. */
  const withFences = (
    world: Example,
    count: number,
    change: (items: StoredItem[]) => void = () => {},
    sizes?: Sizes,
  ) => {
    const partition = `FENCES#${organizationId}#entries`;
    const rows = rowsOf(count);
    const { last, blocks } = fencesOf(rows, 2, sizes);
    const { nodes, head } = treeOf(blocks, sizes);
    const counts = [0, 1].map((list) => blocks.map((block) => block.counts[list]!));
    const items: StoredItem[] = [
      {
        ...{ pk: partition, sk: 'HEAD', version: 3, last, ...(sizes && { sizes }) },
        ...(nodes.length > 0 ? { children: head } : { firsts: blocks.map(({ first }) => first), counts }),
      },
      ...blocks.map((block) => ({ pk: partition, sk: `BLOCK#${block.first}`, ...block, version: 3 })),
      ...nodes.map((node) => ({ pk: partition, sk: `NODE#${node.level}#${node.first}`, ...node })),
      { pk: 'REPORTS', sk: `${organizationId}#entries` },
    ];
    change(items);
    const { user_id } = itemAt(world, 'USER');
    for (const { ulid, list } of rows) {
      const entry_type = ['truck', 'flight'][list]!;
      const date_created = new Date(start).toISOString();
      world.items.push({
        pk: `USER#${shortId(organizationId)}#${shortId(user_id)}`,
        sk: `ENTRIES#${entry_type}#${ulid}`,
        tsk: ulid,
        organization_id: organizationId,
        user_id,
        kind: 'entries',
        entry_type,
        date_created,
        transaction_id: `txn_${ulid}`,
      });
    }
    world.items.push(...items);
  };
  const broken = (change: (items: StoredItem[]) => void) =>
    rulesBrokenBy((world) => withFences(world, 200, change));

  test.each<[string, (items: StoredItem[]) => void]>([
    [
      'a fence is one off',
      (items) => {
        items[1]!.keys[0] += '0';
      },
    ],
    [
      'a fence is missing',
      (items) => {
        items[1]!.keys.pop();
      },
    ],
    [
      'a row is not counted',
      (items) => {
        items[0]!.counts[0][0]--;
        items[1]!.counts[0]--;
      },
    ],
    [
      'a share is one off',
      (items) => {
        items[1]!.shares[0]++;
      },
    ],
    [
      'head and block do not agree',
      (items) => {
        items[0]!.counts[0][0]--;
      },
    ],
    [
      'rows have no fences yet',
      (items) => {
        items[0]!.last = ulidOf(start, 1);
      },
    ],
    [
      'a report has no fences',
      (items) => {
        items.splice(0, 2);
      },
    ],
    [
      'a report is not known',
      (items) => {
        items.pop();
      },
    ],
  ])('%s', (_, change) => {
    expect(broken(change)).toContain(rule);
  });

  const small = { fence: 2, block: 3, nodes: [6], blocks: 4 };
  /** Small fences, of which rows make nodes. */
  const withNodes = (change: (head: StoredItem, node: StoredItem) => void) =>
    rulesBrokenBy((world) => {
      withFences(
        world,
        60,
        (items) => {
          const [head, node] = [items[0]!, items.find(({ sk }) => sk.startsWith('NODE#'))!];
          change(head, node);
          for (const item of items) {
            if (item.children) item.children = deflateRawSync(JSON.stringify(item.children));
          }
        },
        small,
      );
    });

  test.each<[string, (head: StoredItem, node: StoredItem) => void]>([
    ['a node lacks a block', (_, { children }) => children.pop()],
    [
      'a node counts a row too many',
      (_, { children }) => {
        children[0].counts[0]++;
      },
    ],
    ['a head lacks a node', ({ children }) => children.shift()],
    [
      'a node is not there',
      (_, node) => {
        node.sk = 'NODE#9#0';
      },
    ],
  ])('%s', (_, change) => {
    expect(withNodes(change)).toContain(rule);
  });

  test('nothing is wrong with fences as they should be', () => {
    expect(withNodes(() => {})).not.toContain(rule);
    expect(broken(() => {})).not.toContain(rule);
    expect(rulesBrokenBy((world) => withFences(world, 63))).not.toContain(rule);
  });
});
