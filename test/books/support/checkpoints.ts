/** Makes the checkpoints of orders that an honest service makes. A second implementation, without product code. */
import type { Books } from './books.ts';
import { canonical, dayAt, hexDigest, midnightOf } from './plain.ts';
import type { Rec } from './world.ts';

/** A checkpoint in the first line of a records file. */
export type HeadCheckpoint = { note: string; late: string[]; timestamp?: { token: string; root: string } };

const minute = 60_000;

/** Returns the time from which orders due on a day are drawn if they are closed at midnight. */
export const drawsAtMidnight = (day: string): number => midnightOf(day) + minute;

const base64Digest = (text: string) => Buffer.from(hexDigest(text), 'hex').toString('base64');
const iso = (at: number) => new Date(at).toISOString();

/** Returns the text of a checkpoint, without its signature. */
export function checkpointText(
  organization: string,
  drawsAt: number,
  after: number,
  hashes: string[],
): string {
  const line = canonical({ after: iso(after), draws_at: iso(drawsAt) });
  return `incentives/${organization}/orders\n${hashes.length}\n${base64Digest(hashes.toSorted().join('\n'))}\n${line}\n`;
}

/** Returns the time from which a checkpoint's orders are drawn. */
export const drawsAtIn = ({ note }: HeadCheckpoint): number =>
  Date.parse(JSON.parse(note.split('\n')[3]!).draws_at);

/** Returns whether an operator's last action on an order before a time has cancelled it. */
function isCancelled(operations: Rec[], orderId: string, before: number): boolean {
  const ofOrder = operations.filter(
    ({ about, date_created }) =>
      orderId in ((about as { spins?: object })?.spins ?? {}) && Date.parse(String(date_created)) < before,
  );
  return ofOrder.at(-1)?.action === 'spins_cancelled';
}

/** Returns the checkpoints of all orders in the books, by the day on which their orders are drawn. */
export function checkpointsOf({ organizationId, key, days, late }: Books): Map<string, HeadCheckpoint[]> {
  const records = days.flatMap((day) => day.records);
  const operations = records.filter(({ kind }) => kind === 'operations');
  const closings = new Map<number, { hashes: string[]; late: string[] }>();
  for (const { kind, beacon, due_day, order_id, hash } of records) {
    if (kind !== 'orders' || !beacon || String(due_day) > days.at(-1)!.day) continue;
    const lateAt = late.get(String(order_id));
    const drawsAt = lateAt ?? drawsAtMidnight(String(due_day));
    if (lateAt === undefined && isCancelled(operations, String(order_id), drawsAt)) continue;
    const closing = closings.get(drawsAt) ?? { hashes: [], late: [] };
    closings.set(drawsAt, closing);
    closing.hashes.push(hash);
    if (lateAt !== undefined) closing.late.push(hash);
  }
  const byDay = new Map<string, HeadCheckpoint[]>();
  let after = 0;
  for (const [drawsAt, closing] of [...closings].sort(([a], [b]) => a - b)) {
    const note = key.note(checkpointText(organizationId, drawsAt, after, closing.hashes));
    const day = dayAt(drawsAt);
    byDay.set(day, [...(byDay.get(day) ?? []), { note, late: closing.late }]);
    after = drawsAt;
  }
  return byDay;
}
