/** Fences as they are stored: a head, which knows all blocks by their counts, and an item for each block. */

import { Conflict, type Part, transact } from '../table/client.ts';
import {
  between,
  fenceBlockKey,
  fenceBlocksOf,
  fenceHeadKey,
  fenceHeadOf,
  knownReportKey,
  type Range,
  type RecordKind,
  type RecordList,
  recordsOf,
} from '../table/keys.ts';
import { query } from '../table/ranges.ts';
import type { Block, Sealed } from './fences.ts';
import { emptyBlock, firstBlock } from './fences.ts';

/** A report of an organization. */
export type Report = { organizationId: string; report: RecordKind };

/** The lists that a report is made of; for entries truck comes first. */
export function listsOf(report: RecordKind): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

export const rangesOf = ({ organizationId, report }: Report): Range[] =>
  listsOf(report).map((list) => recordsOf(organizationId, list));

/** What is sealed of a report. It grows by some 35 bytes for each block, and fits an item up to 300 million rows. */
export type Head = {
  /** Rises with every change; 0 where nothing was ever stored. */
  version: number;
  /** ULID of the last row that is sealed, empty where there is none. */
  last: string;
  /** Where the blocks begin, and for each list of the report the rows in each block. */
  firsts: string[];
  counts: number[][];
};

/** A report's head; one without blocks where there is none yet. Where it need not be the newest it costs half. */
export async function readHead(report: Report, { consistent }: { consistent: boolean }): Promise<Head> {
  const { items } = await query(fenceHeadOf(report.organizationId, report.report), { consistent });
  return (items[0] as Head | undefined) ?? emptyHead(report, 0);
}

function emptyHead({ report }: Report, version: number): Head {
  return { version, last: '', firsts: [firstBlock], counts: listsOf(report).map(() => [0]) };
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

/** Whether a block is the one that the head knows. Rows are never taken away: where the counts agree, all does. */
export function agrees(head: Head, index: number, block: Block | undefined): block is Block {
  return (
    block !== undefined &&
    block.first === head.firsts[index] &&
    block.counts.every((count, list) => count === head.counts[list]?.[index])
  );
}

/** What the head says of a block, as a block without fences. */
export function outlineOf(head: Head, index: number): Block {
  const block = emptyBlock(head.firsts[index]!, head.counts.length);
  return { ...block, counts: head.counts.map((counts) => counts[index]!) };
}

/**
 * Puts blocks in the place of those from `from` to before `to` (indices of the head), and stores head and blocks
 * together. Answers the new head, or undefined where somebody else was faster and nothing was stored.
 */
export async function replaceBlocks(
  report: Report,
  head: Head,
  { from, to, sealed }: { from: number; to: number; sealed: Sealed },
): Promise<Head | undefined> {
  const { organizationId, report: kind } = report;
  const { blocks, last } = sealed;
  const next: Head = {
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

/** Makes a report's head one that knows of no rows, over whatever it was. */
export async function forgetFences(report: Report): Promise<Head | undefined> {
  const { version } = await readHead(report, { consistent: true });
  const next = emptyHead(report, version + 1);
  const block = emptyBlock(firstBlock, listsOf(report.report).length);
  const key = fenceBlockKey(report.organizationId, report.report, firstBlock);
  const parts = {
    head: headPart(report, version, next),
    block: { Put: { Item: { ...key, ...block, version: next.version } } },
  };
  return (await written(parts)) ? next : undefined;
}

/** Notes that a report has rows, for those who look after all reports. */
export function knownReport({ organizationId, report }: Report) {
  return { ...knownReportKey(organizationId, report), organization_id: organizationId, report };
}

function headPart({ organizationId, report }: Report, version: number, head: Head): Part {
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
