import type { DeliveryDeps } from './attempt.ts';
import { runSteps } from './backlog-steps.ts';
import { checkBacklog } from './check-backlog.ts';
import { deliverAll } from './delivery.ts';
import { isBacklogCheck, isBacklogStep, isDelivery, type Received } from './delivery-queue.ts';

/**
 * Handles messages from the delivery queue in parallel. Returns the completed messages; SQS must redeliver
 * the others.
 */
export async function handleMessages(messages: Received[], deps: DeliveryDeps): Promise<Set<Received>> {
  const done = await Promise.all([
    deliverAll(messages.filter(isDelivery), deps),
    runSteps(messages.filter(isBacklogStep), deps),
    checkBacklog(messages.filter(isBacklogCheck), deps.now()),
  ]);
  return new Set<Received>(done.flatMap((some) => [...some]));
}
