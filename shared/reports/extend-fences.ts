import { readBlock, readHead, writeFences } from './fence-items.ts';
import { type Block, emptyBlock, type FencedRows, type FenceSizes, fenceBuilder } from './fences.ts';
import { boundAfter, type ListedUlid, mergedUlids, settledBefore } from './record-lists.ts';
import { listsOf, type Report, rangesOf } from './report-lists.ts';
import { childOf, type FenceHead, isBlockOf, sizesIn } from './tree.ts';

/** How fences are extended. */
export type ExtendOptions = {
  /** Other sizes, if fences begin now. */
  sizes?: FenceSizes;
  /** The rows of one write. */
  rowsPerWrite?: number;
  /** Whether there is time for one more write. */
  goOn?: () => boolean;
  /** Rows that the stream has told of. Those that get their fences are taken out. */
  told?: Set<string>;
};

/** How often the fences of a report are extended at most, as far as the stream sees to it. */
const restMs = 10_000;

const blocksPerWrite = 40;
/** As many as make so many blocks: each write holds the head. */
const defaultRowsPerWrite = 80_000;

/**
 * Makes fences for all rows that have settled at `now`. Each write holds the head and its blocks together, on the
 * condition that the head is what was read, so it may be run twice, side by side, or be killed anywhere. Told of rows that
 * are all too new, it leaves the others to a later call if fences were made a moment ago. Returns the head as it left it,
 * or undefined if it left something to do: at the deadline, or because another one was faster.
 */
export async function extendFences(
  report: Report,
  now: number,
  options: ExtendOptions = {},
): Promise<FenceHead | undefined> {
  const { goOn = () => true, told = new Set() } = options;
  const below = settledBefore(now);
  let head = await readHead(report, { consistent: true, sizes: options.sizes });
  if (options.told && mayRest(head, told, below, now)) return head;
  for (;;) {
    const { fenced, seen, ended } = await fencesAfter(report, head, below, options);
    if (!fenced) return ended ? head : undefined;
    const { blocks, last } = fenced;
    const children = [...head.children.slice(0, -1), ...blocks.map(childOf)];
    const next = await writeFences(report, head, { children, blocks, last });
    if (next) for (const ulid of seen) if (ulid <= last) told.delete(ulid);
    if (!next || ended) return next;
    if (!goOn()) return undefined;
    head = next;
  }
}

/**
 * Of many that are called side by side for one report, one or two are to do the work: each waits for a random while
 * longer. The head would be written for each batch of each shard of the stream otherwise.
 */
function mayRest(head: FenceHead, told: Set<string>, below: string, now: number): boolean {
  const rested = Math.floor(restMs * (1 + Math.random()));
  return head.last > settledBefore(now - rested) && [...told].every((ulid) => ulid >= below);
}

type Extension = {
  /** The last block, and those after it; undefined if not one more fence is to be made. */
  fenced?: FencedRows;
  /** The rows that were told of and that it has come by. */
  seen: string[];
  /** Whether no row is left that could get a fence. */
  ended: boolean;
};

/** Makes the fences of the rows that follow the head's, as many as are written at once. */
async function fencesAfter(
  report: Report,
  head: FenceHead,
  below: string,
  { rowsPerWrite = defaultRowsPerWrite, told }: ExtendOptions,
): Promise<Extension> {
  const sizes = sizesIn(head);
  const waiting: ListedUlid[] = [];
  let builder: ReturnType<typeof fenceBuilder> | undefined;
  const seen: string[] = [];
  let read = 0;
  for await (const rows of mergedUlids(rangesOf(report), {
    from: boundAfter(head.last),
    below,
  })) {
    waiting.push(...rows);
    if (!builder) {
      if (waiting.length < sizes.fence) continue;
      const block = await lastBlock(report, head);
      if (!block) return { seen, ended: false };
      builder = fenceBuilder({ blocks: [block], last: head.last }, sizes);
    }
    const { add, fenced } = builder;
    for (const row of waiting.splice(0)) {
      add(row);
      if (told?.has(row.ulid)) seen.push(row.ulid);
      read++;
      const enough = fenced.blocks.length >= blocksPerWrite || read >= rowsPerWrite;
      if (enough && fenced.last !== head.last) return { fenced, seen, ended: false };
    }
  }
  const changed = builder !== undefined && builder.fenced.last !== head.last;
  return { ...(changed && { fenced: builder!.fenced }), seen, ended: true };
}

/** The block to go on from; undefined if fences were written between the reads of the head and of the block. */
async function lastBlock(report: Report, head: FenceHead): Promise<Block | undefined> {
  const child = head.children.at(-1)!;
  if (head.version === 0) return emptyBlock(child.first, listsOf(report.report).length);
  const block = await readBlock(report, child.first, { consistent: true });
  return isBlockOf(child, block) ? block : undefined;
}
