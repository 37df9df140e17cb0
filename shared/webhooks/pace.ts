/** Reserves delivery times for webhooks with a limit on deliveries per second. */
import { updated } from '../table/client.ts';
import { type Key, ttlAt } from '../table/keys.ts';
import { paceKey } from '../table/webhook-keys.ts';
import type { Webhook } from './webhooks.ts';

/** Highest limit on deliveries per second that an operator can set for a webhook. */
export const maxPerSecond = 1000;

const dayMs = 24 * 60 * 60 * 1000;
const retentionMs = 7 * dayMs;

/**
 * Reserves `count` evenly spaced delivery times after all earlier reservations. Returns the times in epoch
 * milliseconds.
 */
export async function reserveTimes(
  { organization_id, webhook_id }: Webhook,
  perSecond: number,
  count: number,
  now: number,
): Promise<number[]> {
  const gapMs = 1000 / perSecond;
  const durationMs = Math.ceil(gapMs * count);
  const end = await moveNextFreeTime(paceKey(organization_id, webhook_id), durationMs, now);
  return Array.from({ length: count }, (_, index) => Math.round(end - durationMs + index * gapMs));
}

/**
 * Moves the next free delivery time forward by `ms`, from now at the earliest. Returns the new time (epoch
 * milliseconds).
 */
async function moveNextFreeTime(key: Key, ms: number, now: number): Promise<number> {
  const { ttl } = ttlAt(now + retentionMs);
  const updateTime = (assignment: string, condition: string, values: Record<string, number>) =>
    updated<{ next_at: number }>({
      Key: key,
      UpdateExpression: `SET ${assignment}, #ttl = :ttl`,
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ...values, ':now': now, ':most': now + retentionMs, ':ttl': ttl },
    });
  // Both updates fail only if another function reserves times between them.
  for (;;) {
    const moved =
      (await updateTime('next_at = next_at + :ms', 'next_at > :now AND next_at < :most', { ':ms': ms })) ??
      (await updateTime('next_at = :then', 'NOT (next_at > :now AND next_at < :most)', {
        ':then': now + ms,
      }));
    if (moved) return moved.next_at;
  }
}
