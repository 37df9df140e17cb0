/** Fences as they are stored: a head, which knows all blocks by their counts, and an item for each block. */

import { Conflict, type Part, transact } from '../table/client.ts';
import {
  between,
  fenceBlockKey,
  fenceBlocksOf,
  fenceHeadKey,
  fenceHeadOf,
  knownReportKey,
} from '../table/keys.ts';
import { query } from '../table/ranges.ts';
import {
  type Block,
  emptyBlock,
  emptyHead,
  type FencedRows,
  type FenceHead,
  type FenceSizes,
  firstBlock,
} from './fences.ts';
import { listsOf, type Report } from './report-lists.ts';

/** A report's head; one without rows if there is none yet. It costs half if it need not be the newest. */
export async function readHead(
  report: Report,
  { consistent, sizes }: { consistent: boolean; sizes?: FenceSizes | undefined },
): Promise<FenceHead> {
  const { items } = await query(fenceHeadOf(report.organizationId, report.report), { consistent });
  return (items[0] as FenceHead | undefined) ?? emptyHead(listsOf(report.report).length, 0, { sizes });
}

/** The block that a key lies in, as far as it is stored: the last one that does not begin after it. */
export async function readBlock(
  report: Report,
  key: string,
  { consistent }: { consistent: boolean },
): Promise<Block | undefined> {
  const upToKey = between(fenceBlocksOf(report.organizationId, report.report), '', key);
  const { items } = await query(upToKey, { newestFirst: true, limit: 1, consistent });
  return items[0] as Block | undefined;
}

/**
 * Puts blocks in the place of those from `from` to before `to` (indices of the head), and stores head and blocks
 * together. Returns the new head, or undefined if somebody else was faster and nothing was stored.
 */
export async function replaceBlocks(
  report: Report,
  head: FenceHead,
  { from, to, fenced }: { from: number; to: number; fenced: FencedRows },
): Promise<FenceHead | undefined> {
  const { organizationId, report: kind } = report;
  const { blocks, last } = fenced;
  const next: FenceHead = {
    ...(head.shards ? { shards: head.shards } : {}),
    ...(head.sizes ? { sizes: head.sizes } : {}),
    version: head.version + 1,
    last,
    firsts: head.firsts.toSpliced(from, to - from, ...blocks.map(({ first }) => first)),
    counts: head.counts.map((counts, list) =>
      counts.toSpliced(from, to - from, ...blocks.map((block) => block.counts[list]!)),
    ),
  };
  const parts: Record<string, Part> = { head: headPart(report, head.version, next) };
  blocks.forEach((block, index) => {
    const key = fenceBlockKey(organizationId, kind, block.first);
    parts[`block${index}`] = { Put: { Item: { ...key, ...block, version: next.version } } };
  });
  return (await written(parts)) ? next : undefined;
}

/** Makes a report's head one without rows, whatever it was, and of the sizes of today. Returns undefined if somebody else was faster. */
export async function forgetFences(report: Report, sizes?: FenceSizes): Promise<FenceHead | undefined> {
  const lists = listsOf(report.report).length;
  const { version, shards } = await readHead(report, { consistent: true });
  const next = emptyHead(lists, version + 1, { shards, sizes });
  const block = emptyBlock(firstBlock, lists);
  const key = fenceBlockKey(report.organizationId, report.report, firstBlock);
  const parts = {
    head: headPart(report, version, next),
    block: { Put: { Item: { ...key, ...block, version: next.version } } },
  };
  return (await written(parts)) ? next : undefined;
}

/** The parts of a transaction that make a report's head know of more shards; they fail if it is not this head any more. */
export function spreadHead(report: Report, head: FenceHead, shards: number): Record<string, Part> {
  const { organizationId, report: kind } = report;
  const version = head.version + 1;
  const block = emptyBlock(firstBlock, listsOf(kind).length);
  const key = fenceBlockKey(organizationId, kind, firstBlock);
  return {
    [`${kind} head`]: headPart(report, head.version, { ...head, version, shards }),
    ...(head.version === 0 && { [`${kind} block`]: { Put: { Item: { ...key, ...block, version } } } }),
  };
}

/** Notes that a report has rows, for those who look after all reports. */
export function knownReport({ organizationId, report }: Report) {
  return { ...knownReportKey(organizationId, report), organization_id: organizationId, report };
}

function headPart({ organizationId, report }: Report, version: number, head: FenceHead): Part {
  return {
    Put: {
      Item: { ...fenceHeadKey(organizationId, report), ...head },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
    },
  };
}

async function written(parts: Record<string, Part>): Promise<boolean> {
  try {
    return (await transact(parts)) === undefined;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}
