/** Makes the checkpoints of orders that an honest service makes. A second implementation, without product code. */
import type { Books } from './books.ts';
import { canonical, dayAt, hexDigest, midnightOf } from './plain.ts';
import type { Rec } from './world.ts';

/** A checkpoint in the first line of a records file. */
export type HeadCheckpoint = { note: string; listed: string[]; timestamp?: { token: string; root: string } };

const minute = 60_000;

/** Returns the time from which orders due on a day are drawn if they are closed at midnight. */
export const drawsAtMidnight = (day: string): number => midnightOf(day) + minute;

const base64Digest = (text: string) => Buffer.from(hexDigest(text), 'hex').toString('base64');
const iso = (at: number) => new Date(at).toISOString();

/** Returns the text of a checkpoint, without its signature. `from` is the earliest due day of `hashes`. */
export function checkpointText(
  organization: string,
  drawsAt: number,
  hashes: string[],
  { from = dayAt(drawsAt), listed = [] }: { from?: string; listed?: string[] } = {},
): string {
  const line = canonical({
    draws_at: iso(drawsAt),
    from,
    listed: base64Digest(listed.toSorted().join('\n')),
  });
  return `incentives/${organization}/orders\n${hashes.length}\n${base64Digest(hashes.toSorted().join('\n'))}\n${line}\n`;
}

/** Returns the time from which a checkpoint's orders are drawn. */
export const drawsAtIn = ({ note }: HeadCheckpoint): number =>
  Date.parse(JSON.parse(note.split('\n')[3]!).draws_at);

/** Returns whether an operator's last action on an order before a time has cancelled the order. */
const isCancelled = (actions: Rec[], before: number): boolean =>
  actions.filter((rec) => timeOf(rec) < before).at(-1)?.action === 'spins_cancelled';
const timeOf = ({ date_created }: Rec) => Date.parse(String(date_created));

/** Returns the checkpoints of all orders in the books, by the day on which their orders are drawn. */
export function checkpointsOf({ organizationId, key, days, late }: Books): Map<string, HeadCheckpoint[]> {
  const records = days.flatMap((day) => day.records);
  const closings = new Map<number, { hashes: string[]; dueDays: string[]; listed: string[] }>();
  for (const rec of records) {
    const due = String(rec.due_day);
    if (rec.kind !== 'orders' || !rec.beacon || due > days.at(-1)!.day) continue;
    const id = String(rec.order_id);
    const actions = records.filter(({ about }) => id in ((about as { spins?: object })?.spins ?? {}));
    const drawsAt = late.get(id) ?? drawsAtMidnight(due);
    if (isCancelled(actions, drawsAt)) continue;
    const closing = closings.get(drawsAt) ?? { hashes: [], dueDays: [], listed: [] };
    closings.set(drawsAt, closing);
    const midnight = midnightOf(due);
    const isSingle = actions.some((one) => timeOf(one) < midnight) || timeOf(rec) >= midnight - 2 * minute;
    if (isSingle) closing.listed.push(`${due} ${rec.hash}`);
    else {
      closing.hashes.push(rec.hash);
      closing.dueDays.push(due);
    }
  }
  const byDay = new Map<string, HeadCheckpoint[]>();
  for (const [drawsAt, { hashes, dueDays, listed }] of [...closings].sort(([a], [b]) => a - b)) {
    const day = dayAt(drawsAt);
    const text = checkpointText(organizationId, drawsAt, hashes, { from: dueDays.sort()[0] ?? day, listed });
    byDay.set(day, [...(byDay.get(day) ?? []), { note: key.note(text), listed }]);
  }
  return byDay;
}
