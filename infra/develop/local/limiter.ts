import type { Clock } from './aws/clock.ts';

export function createLimiter({ rate, burst }: { rate: number; burst: number }, clock: Clock) {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    tryTake(key: string): boolean {
      const now = clock.now();
      const { left, at } = buckets.get(key) ?? { left: burst, at: now };
      const filled = Math.min(burst, left + ((now - at) / 1000) * rate);
      buckets.set(key, { left: filled >= 1 ? filled - 1 : filled, at: now });
      return filled >= 1;
    },
  };
}
