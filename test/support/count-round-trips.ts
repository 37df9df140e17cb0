import { tableClient } from '../../shared/table/client.ts';

/**
 * Counts the round trips to DynamoDB that `run` waits for, and the items that queries return. Concurrent calls count as
 * one round trip.
 */
export async function countRoundTrips<T>(
  run: () => Promise<T>,
): Promise<{ result: T; trips: number; items: number }> {
  let trips = 0;
  let items = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const release = () => {
    if (running > 0 || waiting.length === 0) return;
    trips++;
    running = waiting.length;
    for (const go of waiting.splice(0)) go();
  };
  tableClient.middlewareStack.add(
    (next) => async (args) => {
      await new Promise<void>((go) => {
        waiting.push(go);
        setImmediate(release);
      });
      try {
        const answer = await next(args);
        items += (answer.output as { Items?: unknown[] }).Items?.length ?? 0;
        return answer;
      } finally {
        running--;
        setImmediate(release);
      }
    },
    { step: 'initialize', priority: 'high', name: 'roundTrips' },
  );
  try {
    return { result: await run(), trips, items };
  } finally {
    tableClient.middlewareStack.remove('roundTrips');
  }
}
