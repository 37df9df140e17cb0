/** The pace of deliveries to a receiver that takes only so many a second. */
import { updated } from '../table/client.ts';
import { type Key, ttlAt } from '../table/keys.ts';
import { paceKey } from '../table/webhook-keys.ts';
import type { Webhook } from './webhooks.ts';

/** The most deliveries a second that an operator can limit a webhook to. */
export const mostPerSecond = 1000;

const dayMs = 24 * 60 * 60 * 1000;
const keptMs = 7 * dayMs;

/**
 * Reserves the times of some deliveries to a limited webhook, in epoch milliseconds: one after the other, at its pace,
 * from when it is free. One write for all of a batch, and none for webhooks without a limit. A reservation whose answer
 * is lost is made again: then some times stay unused.
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

/** Moves the time at which a webhook is free on by some milliseconds, from now if it is; returns the new one. */
async function advance(key: Key, ms: number, now: number): Promise<number> {
  const { ttl } = ttlAt(now + keptMs);
  const move = (what: string, condition: string, values: Record<string, number>) =>
    updated<{ next_at: number }>({
      Key: key,
      UpdateExpression: `SET ${what}, #ttl = :ttl`,
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ...values, ':now': now, ':ttl': ttl },
    });
  // Two that find it free at once: the second one is told that it is not, and waits for the first.
  for (;;) {
    const moved =
      (await move('next_at = next_at + :ms', 'next_at > :now', { ':ms': ms })) ??
      (await move('next_at = :then', 'attribute_not_exists(pk) OR next_at <= :now', { ':then': now + ms }));
    if (moved) return moved.next_at;
  }
}
