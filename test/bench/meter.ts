import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Milliseconds, requests, round trips and read units of a DynamoDB client. Concurrent requests count as one round trip.
 */
export type Metered = { ms: number; requests: number; 'round trips': number; units: number };

type Input = { KeyConditionExpression?: string; ConsistentRead?: boolean; ReturnConsumedCapacity?: string };
type Capacity = { CapacityUnits?: number };
type Next = (args: { input: Input }) => Promise<{ output: { ConsumedCapacity?: Capacity | Capacity[] } }>;

/** Starts counting the requests of a DynamoDB client. `stop` ends the count and returns the result. */
export function metered(client: DynamoDBDocumentClient): { stop: () => Metered } {
  const started = performance.now();
  const seen = { requests: 0, waves: 0, open: 0, units: 0 };
  const middleware = (next: Next) => async (args: { input: Input }) => {
    if (seen.open++ === 0) seen.waves++;
    seen.requests++;
    const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
    seen.open--;
    const { KeyConditionExpression, ConsistentRead } = args.input;
    // Counts the minimum units that DynamoDB charges for an empty query. DynamoDB Local counts 0.
    const least = KeyConditionExpression ? (ConsistentRead ? 1 : 0.5) : 0;
    const consumed = [result.output.ConsumedCapacity ?? []].flat();
    const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    seen.units += Math.max(least, units);
    return result;
  };
  client.middlewareStack.add(middleware as never, { step: 'initialize', name: 'meter', priority: 'high' });
  return {
    stop: () => {
      client.middlewareStack.remove('meter');
      const { requests, waves, units } = seen;
      return { ms: performance.now() - started, requests, 'round trips': waves, units };
    },
  };
}

/**
 * Returns the read units of `rows` rows of `bytes` bytes each, read with eventual consistency: half a unit per 4 KiB.
 */
export const rowUnits = (bytes: number, rows: number) => Math.ceil((bytes * rows) / 4096) / 2;

/** Returns an item's size in bytes by DynamoDB's rules. */
export function itemBytes(item: Record<string, unknown>): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).length / 2) + (value < 0 ? 2 : 1);
  if (Array.isArray(value)) return value.reduce((sum, part) => sum + valueBytes(part) + 1, 3);
  if (typeof value === 'object' && value !== null) return itemBytes(value as Record<string, unknown>) + 3;
  return 1;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a new ULID for a time. Faster than the `ulid` package. */
export function fastUlid(epochMs: number): string {
  let text = '';
  for (let rest = epochMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text;
  for (const byte of randomBytes(16)) text += alphabet[byte % 32];
  return text;
}
