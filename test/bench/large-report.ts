/**
 * A report of 164 billion rows, of which there is what some pages need. Where nodes and blocks begin is drawn, with the
 * gaps that checksums would leave, and not by checksums: nobody who reads looks at those. The head is whole, and so is
 * each node of nodes; of the other nodes, of the blocks and of the rows there are those at the ends of the ranges and at
 * the pages that are asked for.
 */
import { newId, ulidFloor } from '../../shared/ids.ts';
import { nodeItem, writeFences } from '../../shared/reports/fence-items.ts';
import {
  defaultSizes,
  emptyBlock,
  fenceBuilder,
  firstBlock,
  startsBlock,
} from '../../shared/reports/fences.ts';
import type { Report } from '../../shared/reports/report-lists.ts';
import { type Child, emptyHead, type FenceHead } from '../../shared/reports/tree.ts';
import type { Item } from '../../shared/table/client.ts';
import { impliedBy } from '../../shared/table/implied.ts';
import { recordKey, recordTimeKey } from '../../shared/table/keys.ts';
import { transactionOf, userOf, writeItems } from '../support/records.ts';
import { fastUlid } from './meter.ts';

const rowsInAll = 164e9;
const dayMs = 86_400_000;
const days = 1096;
const rowsInAMs = rowsInAll / (days * dayMs);

/** Some of a report's rows that follow each other, the first of them at a position from 0 on. */
type Stretch = { first: string; position: number; rows: number };

/** A range of time (epoch ms), and the positions of its ends. */
export type LargeRange = { start: number; end: number; from: number; to: number };

/** The report as far as it has been drawn, and what of it is in the table. */
type Drawn = {
  report: Report;
  /** When its rows begin (epoch ms). */
  begin: number;
  /** The stretches of the nodes of nodes, the last one of which is open, and in each those of its nodes. */
  top: (Stretch & { nodes: Stretch[] })[];
  /** A row as it is stored. */
  itemOf: (ulid: string) => Item;
  head: FenceHead;
  /** By where they begin: the blocks of nodes, and the rows of blocks. */
  blocksOf: Map<string, Stretch[]>;
  rowsOf: Map<string, { stretch: Stretch; ulids: string[] }>;
};

/** Writes what is needed of the report; returns its organization and functions that make ranges and pages ready. */
export async function largeReport() {
  const report = { organizationId: newId('org', Date.now()), report: 'tickets' as const };
  const begin = Date.now() - 120_000 - days * dayMs;
  const top = cut(begin, { first: firstBlock, position: 0, rows: rowsInAll }, nodesRows).map((stretch) => ({
    ...stretch,
    nodes: cut(begin, stretch, nodeRows),
  }));
  const drawn: Drawn = {
    report,
    begin,
    top,
    itemOf: await itemsLike(report, begin),
    head: await writeTop(report, begin, top),
    blocksOf: new Map(),
    rowsOf: new Map(),
  };
  return {
    organizationId: report.organizationId,
    /** A range, in days after the report begins. */
    range: async (fromDay: number, toDay: number): Promise<LargeRange> => {
      const [start, end] = [begin + Math.round(fromDay * dayMs), begin + Math.round(toDay * dayMs)];
      return { start, end, from: await positionOf(drawn, start), to: await positionOf(drawn, end) };
    },
    /** Makes a page of 1,000 rows of a range ready. */
    page: async ({ from, to }: LargeRange, page: number): Promise<void> => {
      const first = from + page * 1000;
      for (let position = first; position < Math.min(first + 1000, to); position += 1) {
        const { stretch } = await ready(drawn, position);
        position = stretch.position + stretch.rows - 1;
      }
    },
  };
}

const [nodeRows, nodesRows] = defaultSizes.nodes as [number, number];

const timeAt = (begin: number, position: number) => begin + position / rowsInAMs;

/** A ULID for the row at a position, which begins no block. */
function ulidAt(begin: number, position: number): string {
  const ulid = fastUlid(Math.floor(timeAt(begin, position)));
  return startsBlock(ulid, defaultSizes) ? ulidAt(begin, position) : ulid;
}

/** Cuts a stretch where each of its rows has the same chance to begin another. */
function cut(begin: number, { first, position, rows }: Stretch, mean: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let done = 0; done < rows; ) {
    const some = Math.min(rows - done, Math.ceil(-Math.log(1 - Math.random()) * mean));
    const at = position + done;
    stretches.push({ first: done === 0 ? first : ulidAt(begin, at), position: at, rows: some });
    done += some;
  }
  return stretches;
}

/** The stretch in which a position is. */
const stretchAt = <T extends Stretch>(stretches: T[], position: number): T =>
  stretches.findLast((stretch) => stretch.position <= position)!;

const childrenOf = (stretches: Stretch[], level: number): Child[] =>
  stretches.map(({ first, rows }) => ({ first, level, counts: [rows] }));

/** Writes the head and the nodes of nodes. */
async function writeTop(report: Report, begin: number, top: Drawn['top']): Promise<FenceHead> {
  const whole = top.slice(0, -1);
  const open = top.at(-1)!.nodes;
  const tail = cut(begin, open.at(-1)!, defaultSizes.block);
  const children = [...childrenOf(whole, 2), ...childrenOf(open.slice(0, -1), 1), ...childrenOf(tail, 0)];
  const nodes = whole.map(({ first, nodes }) => ({ first, level: 2, children: childrenOf(nodes, 1) }));
  await writeItems(nodes.map((node) => nodeItem(report, node, 1)));
  const change = { children, blocks: [], last: ulidAt(begin, rowsInAll) };
  return (await writeFences(report, { ...emptyHead(1, 0), children }, change))!;
}

/** A function that makes rows like those of one user, each in any of the shards. */
async function itemsLike({ organizationId }: Report, begin: number): Promise<Drawn['itemOf']> {
  const { record } = await transactionOf(userOf(organizationId, newId('usr', begin)), 'tickets', begin);
  return (ulid) => {
    const key = recordKey(organizationId, record.user_id, 'tickets', ulid);
    const timeKey = recordTimeKey(organizationId, String(Math.random()), 'tickets', ulid);
    return {
      ...record,
      ...key,
      ...timeKey,
      ...impliedBy(key),
      idempotency_key: `bonus-${organizationId}-10000`,
    };
  };
}

/** Makes the way to a position ready: its node, its block and that one's rows. */
async function ready(drawn: Drawn, position: number): Promise<{ stretch: Stretch; ulids: string[] }> {
  const stretch = stretchAt(await blocksAt(drawn, position), position);
  const known = drawn.rowsOf.get(stretch.first);
  if (known) return known;
  const ulids = ulidsOf(drawn.begin, stretch);
  const builder = fenceBuilder({ blocks: [emptyBlock(stretch.first, 1)], last: '' }, defaultSizes);
  for (const ulid of ulids) builder.add({ ulid, list: 0 });
  builder.finish();
  await writeItems(ulids.map(drawn.itemOf));
  drawn.head = (await writeFences(drawn.report, drawn.head, {
    ...drawn.head,
    blocks: builder.fenced.blocks,
  }))!;
  drawn.rowsOf.set(stretch.first, { stretch, ulids });
  return { stretch, ulids };
}

/** The blocks of the node in which a position is, which is written if it is not there yet. */
async function blocksAt({ report, begin, top, blocksOf }: Drawn, position: number): Promise<Stretch[]> {
  const node = stretchAt(stretchAt(top, position).nodes, position);
  const known = blocksOf.get(node.first);
  if (known) return known;
  const blocks = cut(begin, node, defaultSizes.block);
  blocksOf.set(node.first, blocks);
  await writeItems([nodeItem(report, { first: node.first, level: 1, children: childrenOf(blocks, 0) }, 1)]);
  return blocks;
}

/** The rows of a block, between those that begin it and the next one, whatever ULIDs have at random. */
function ulidsOf(begin: number, { first, position, rows }: Stretch): string[] {
  const next = timeAt(begin, position + rows);
  const others = Array.from({ length: rows - 1 }, (_, index) => {
    const time = Math.max(timeAt(begin, position) + 1, timeAt(begin, position + 1 + index));
    return ulidAt(begin, (Math.min(time, next - 1) - begin) * rowsInAMs);
  });
  return [first === firstBlock ? ulidAt(begin, 0) : first, ...others].sort();
}

/** How many rows lie before a time. */
async function positionOf(drawn: Drawn, time: number): Promise<number> {
  const { stretch, ulids } = await ready(drawn, Math.floor((time - drawn.begin) * rowsInAMs));
  const bound = ulidFloor(time);
  return stretch.position + ulids.filter((ulid) => ulid < bound).length;
}
