import { ulidFloor } from '../ids.ts';
import { RETRY, retry } from '../retry.ts';
import { type ExtendOptions, extendFences } from './extend-fences.ts';
import { childrenAround, forgetFences, readBlock, readHead, writeFences } from './fence-items.ts';
import { countedKeysOf, emptyBlock, type FencedRows, fenceBuilder, lastUpTo, sum } from './fences.ts';
import { boundAfter, countRecords, everyUlid, mergedUlids, type UlidSpan } from './record-lists.ts';
import { listsOf, type Report, rangesOf } from './report-lists.ts';
import { childAt, childOf, type FenceHead, isBlockOf, sizesIn } from './tree.ts';

/** A row that the stream told of cannot be seen in the index yet. */
export class NotVisibleYet extends Error {
  override name = 'NotVisibleYet';
}

/**
 * Sees to it that rows which may have come late are counted: makes the blocks that they belong to anew. Rows after the
 * last fence need nothing. The head is read unless it is given as it was just now. Throws NotVisibleYet if the index does
 * not show one of them yet.
 */
export async function repairFences(
  report: Report,
  ulids: string[],
  options: { head?: FenceHead | undefined } = {},
): Promise<void> {
  if (ulids.length === 0) return;
  const { last } = options.head ?? (await readHead(report, { consistent: true }));
  const fenced = ulids.filter((ulid) => ulid <= last).sort();
  let done = '';
  for (const ulid of fenced) if (ulid >= done) done = await remakeBlock(report, ulid, fenced);
}

/**
 * Makes the block that a key lies in anew, until it is stored as its rows say; `expected` rows have to be seen. Returns
 * where the block ends.
 */
function remakeBlock(report: Report, key: string, expected: string[]): Promise<string> {
  return retry(async () => {
    const head = await readHead(report, { consistent: true });
    const children = await childrenAround(report, head, key);
    if (!children) return RETRY;
    const index = childAt(children, key);
    const child = children[index]!;
    const isLast = index === children.length - 1;
    const end = isLast ? everyUlid.below : children[index + 1]!.first;
    const span = { from: child.first, below: isLast ? boundAfter(head.last) : end };
    const { blocks, last } = await blocksAnew(report, head, { span, isLast }, expected);
    if (blocks.length === 1 && isBlockOf(child, blocks[0]) && (!isLast || last === head.last)) return end;
    const changed = children.toSpliced(index, 1, ...blocks.map(childOf));
    const change = { children: changed, blocks, last: isLast ? last : head.last };
    return (await writeFences(report, head, change)) ? end : RETRY;
  });
}

/** A block as its rows say, and those after it if it has become several. */
async function blocksAnew(
  report: Report,
  head: FenceHead,
  { span, isLast }: { span: UlidSpan; isLast: boolean },
  expected: string[],
): Promise<FencedRows> {
  const missing = new Set(expected.filter((ulid) => ulid >= span.from && ulid < span.below));
  const block = emptyBlock(span.from, listsOf(report.report).length);
  const builder = fenceBuilder({ blocks: [block], last: '' }, sizesIn(head));
  for await (const rows of mergedUlids(rangesOf(report), span)) {
    for (const row of rows) {
      builder.add(row);
      missing.delete(row.ulid);
    }
  }
  if (missing.size > 0) {
    throw new NotVisibleYet('the index does not show all of the rows that were told of');
  }
  if (!isLast) builder.finish();
  return builder.fenced;
}

const recentMs = 60 * 60 * 1000;

/**
 * Counts the rows of the last hour that have fences once more, and makes their blocks anew if the index shows more of
 * them than it did: for rows that it showed so late that the stream had long told of them. The head is read unless it
 * is given as it was just now.
 */
export async function recountLastHour(
  report: Report,
  now: number,
  options: { head?: FenceHead | undefined } = {},
): Promise<void> {
  const head = options.head ?? (await readHead(report, { consistent: true }));
  const since = ulidFloor(Math.max(0, now - recentMs));
  if (head.last < since) return;
  const children = await childrenAround(report, head, since);
  if (!children) return;
  const index = childAt(children, since);
  const block = await readBlock(report, children[index]!.first, { consistent: true });
  if (!isBlockOf(children[index]!, block)) return;
  const lists = [...listsOf(report.report).keys()];
  const start = lastUpTo(countedKeysOf(block, lists, 0, sizesIn(head)), since)!;
  const counted = sum(children.slice(index).flatMap(({ counts }) => counts)) - start.rowsBefore;
  const end = boundAfter(head.last);
  const found = await countRecords(rangesOf(report), { from: start.key, below: end });
  if (found === counted) return;
  for (let key = since; key < end; ) key = await remakeBlock(report, key, []);
}

/** Forgets a report's fences and makes them anew from its rows. Reports stay right meanwhile, but are slow. */
export async function rebuildFences(report: Report, now: number, options: ExtendOptions = {}): Promise<void> {
  while (!(await forgetFences(report, options.sizes))) {
    // Fences were written at the same moment, and are forgotten as well.
  }
  while (!(await extendFences(report, now, options))) {
    // Somebody else does the same work; both go on from where the faster one is.
  }
}
