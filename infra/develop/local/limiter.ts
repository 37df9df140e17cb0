import type { Clock } from './aws/clock.ts';

/** Lets so many requests of each usage key through as API Gateway does: a bucket of `burst`, refilled by `rate` a second. */
export function createLimiter({ rate, burst }: { rate: number; burst: number }, clock: Clock) {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    /** Whether one more request of a key is let through now. */
    takes(key: string): boolean {
      const now = clock.now();
      const { left, at } = buckets.get(key) ?? { left: burst, at: now };
      const filled = Math.min(burst, left + ((now - at) / 1000) * rate);
      buckets.set(key, { left: filled >= 1 ? filled - 1 : filled, at: now });
      return filled >= 1;
    },
  };
}
