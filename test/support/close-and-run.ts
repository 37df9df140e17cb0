import { closeOrders } from '../../shared/amoe/close-orders.ts';
import { runShard } from '../../shared/amoe/spin-run.ts';
import { startOfDay } from '../../shared/time.ts';

/** Closes the orders of a shard at the start of the message's day, then runs them. */
export async function closeAndRun(...[message, ...args]: Parameters<typeof runShard>) {
  await closeOrders(message.organization_id, [message.shard], message.day, () => startOfDay(message.day));
  return runShard(message, ...args);
}
