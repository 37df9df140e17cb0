/** Reserves delivery times for webhooks with a limit on deliveries per second. */
import { updated } from '../table/client.ts';
import { type Key, ttlAt } from '../table/keys.ts';
import { paceKey } from '../table/webhook-keys.ts';
import type { Webhook } from './webhooks.ts';

/** Highest limit on deliveries per second that an operator can set for a webhook. */
export const maxPerSecond = 1000;

const dayMs = 24 * 60 * 60 * 1000;
const keptMs = 7 * dayMs;

/**
 * Reserves `count` evenly spaced delivery times after all earlier reservations. Returns the times in epoch
 * milliseconds.
 */
export async function reserve(
  { organization_id, webhook_id }: Webhook,
  perSecond: number,
  count: number,
  now: number,
): Promise<number[]> {
  const gapMs = 1000 / perSecond;
  const takes = Math.ceil(gapMs * count);
  const end = await advance(paceKey(organization_id, webhook_id), takes, now);
  return Array.from({ length: count }, (_, index) => Math.round(end - takes + index * gapMs));
}

/**
 * Moves the next free delivery time forward by `ms`, from now at the earliest. Returns the new time (epoch
 * milliseconds).
 */
async function advance(key: Key, ms: number, now: number): Promise<number> {
  const { ttl } = ttlAt(now + keptMs);
  const moveNextFree = (assignment: string, condition: string, values: Record<string, number>) =>
    updated<{ next_at: number }>({
      Key: key,
      UpdateExpression: `SET ${assignment}, #ttl = :ttl`,
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ...values, ':now': now, ':ttl': ttl },
    });
  // Both writes fail if another function reserves times between them; then the loop tries again.
  for (;;) {
    const moved =
      (await moveNextFree('next_at = next_at + :ms', 'next_at > :now', { ':ms': ms })) ??
      (await moveNextFree('next_at = :then', 'attribute_not_exists(pk) OR next_at <= :now', {
        ':then': now + ms,
      }));
    if (moved) return moved.next_at;
  }
}
