/**
 * A report of 164 billion rows, of which there is what some pages need. Where nodes and blocks begin is drawn, with the
 * gaps that checksums would leave, and not by checksums: nobody who reads looks at those. The head is whole, and so is
 * each node of nodes; of the other nodes, of the blocks and of the rows there are those at the ends of the ranges and at
 * the pages that are asked for.
 */
import { newId, ulidFloor } from '../../shared/ids.ts';
import { nodeItem, writeFences } from '../../shared/reports/fence-items.ts';
import {
  type Block,
  defaultSizes,
  emptyBlock,
  fenceBuilder,
  firstBlock,
  startsBlock,
} from '../../shared/reports/fences.ts';
import { type Child, emptyHead } from '../../shared/reports/tree.ts';
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

/** Writes what is needed of the report; returns its organization and functions that make ranges and pages ready. */
export async function largeReport(shards: number) {
  const report = { organizationId: newId('org', Date.now()), report: 'tickets' as const };
  const begin = Date.now() - 120_000 - days * dayMs;
  const timeAt = (position: number) => begin + position / rowsInAMs;
  const ulidAt = (position: number): string => {
    const ulid = fastUlid(Math.floor(timeAt(position)));
    return startsBlock(ulid, defaultSizes) ? ulidAt(position) : ulid;
  };

  /** Cuts a stretch where each of its rows has the same chance to begin another. */
  const cut = ({ first, position, rows }: Stretch, mean: number): Stretch[] => {
    const stretches: Stretch[] = [];
    for (let done = 0; done < rows; ) {
      const some = Math.min(rows - done, Math.ceil(-Math.log(1 - Math.random()) * mean));
      const at = position + done;
      stretches.push({ first: done === 0 ? first : ulidAt(at), position: at, rows: some });
      done += some;
    }
    return stretches;
  };
  const childrenOf = (stretches: Stretch[], level: number): Child[] =>
    stretches.map(({ first, rows }) => ({ first, level, counts: [rows] }));
  const [nodeRows, nodesRows] = defaultSizes.nodes as [number, number];
  const at = <T extends Stretch>(stretches: T[], position: number): T =>
    stretches.findLast((stretch) => stretch.position <= position)!;

  const top = cut({ first: firstBlock, position: 0, rows: rowsInAll }, nodesRows).map((stretch) => ({
    ...stretch,
    nodes: cut(stretch, nodeRows),
  }));
  const open = top.at(-1)!.nodes;
  const tail = cut(open.at(-1)!, defaultSizes.block);
  const head = {
    ...emptyHead(1, 0, { shards }),
    children: [
      ...childrenOf(top.slice(0, -1), 2),
      ...childrenOf(open.slice(0, -1), 1),
      ...childrenOf(tail, 0),
    ],
  };
  await writeItems(
    top
      .slice(0, -1)
      .map(({ first, nodes }) => nodeItem(report, { first, level: 2, children: childrenOf(nodes, 1) }, 1)),
  );
  let written = await writeFences(report, head, {
    children: head.children,
    blocks: [],
    last: ulidAt(rowsInAll),
  });

  const nodesReady = new Map<string, Stretch[]>();
  const blocksReady = new Map<string, { stretch: Stretch; ulids: string[] }>();
  const { record } = await transactionOf(
    userOf(report.organizationId, newId('usr', begin)),
    'tickets',
    begin,
  );
  const itemOf = (ulid: string) => ({
    ...record,
    ...recordKey(report.organizationId, record.user_id, 'tickets', ulid),
    ...recordTimeKey(report.organizationId, 'tickets', ulid, Math.floor(Math.random() * shards)),
    external_reference: `host-user-${record.user_id}`,
    transaction_id: `txn_${ulid}`,
    idempotency_key: `bonus-${report.organizationId}-10000`,
  });

  /** Makes the way to a position ready: its node, its block and that one's rows. */
  const ready = async (position: number) => {
    const node = at(at(top, position).nodes, position);
    const blocks = nodesReady.get(node.first) ?? cut(node, defaultSizes.block);
    if (!nodesReady.has(node.first)) {
      nodesReady.set(node.first, blocks);
      await writeItems([
        nodeItem(report, { first: node.first, level: 1, children: childrenOf(blocks, 0) }, 1),
      ]);
    }
    const stretch = at(blocks, position);
    const known = blocksReady.get(stretch.first);
    if (known) return known;
    const next = timeAt(stretch.position + stretch.rows);
    const ulids = Array.from({ length: stretch.rows - 1 }, (_, index) => {
      // Between the rows that begin this block and the next one, whatever ULIDs have at random.
      const time = Math.max(timeAt(stretch.position) + 1, timeAt(stretch.position + 1 + index));
      return ulidAt((Math.min(time, next - 1) - begin) * rowsInAMs);
    });
    const all = [stretch.first === firstBlock ? ulidAt(0) : stretch.first, ...ulids].sort();
    const builder = fenceBuilder({ blocks: [emptyBlock(stretch.first, 1)], last: '' }, defaultSizes);
    for (const ulid of all) builder.add({ ulid, list: 0 });
    builder.finish();
    await writeItems(all.map(itemOf));
    await storeBlock(builder.fenced.blocks[0]!);
    blocksReady.set(stretch.first, { stretch, ulids: all });
    return blocksReady.get(stretch.first)!;
  };
  const storeBlock = async (block: Block) => {
    written = await writeFences(report, written!, { ...written!, blocks: [block] });
  };

  const positionOf = async (time: number): Promise<number> => {
    const { stretch, ulids } = await ready(Math.floor((time - begin) * rowsInAMs));
    const bound = ulidFloor(time);
    return stretch.position + ulids.filter((ulid) => ulid < bound).length;
  };
  return {
    organizationId: report.organizationId,
    /** A range, in days after the report begins. */
    range: async (fromDay: number, toDay: number): Promise<LargeRange> => {
      const [start, end] = [begin + Math.round(fromDay * dayMs), begin + Math.round(toDay * dayMs)];
      return { start, end, from: await positionOf(start), to: await positionOf(end) };
    },
    /** Makes a page of 1,000 rows of a range ready. */
    page: async ({ from, to }: LargeRange, page: number): Promise<void> => {
      const first = from + page * 1000;
      for (let position = first; position < Math.min(first + 1000, to); position += 1) {
        const { stretch } = await ready(position);
        position = stretch.position + stretch.rows - 1;
      }
    },
  };
}
