import type { DeliveryDeps } from './attempt.ts';
import { takeSteps } from './backlog-steps.ts';
import { checkAll } from './check-backlog.ts';
import { deliverAll } from './delivery.ts';
import { isCheck, isDelivery, isStep, type Taken } from './delivery-queue.ts';

/**
 * Handles messages from the delivery queue in parallel. Returns the completed messages; SQS must redeliver
 * the others.
 */
export async function handleMessages(messages: Taken[], deps: DeliveryDeps): Promise<Set<Taken>> {
  const done = await Promise.all([
    deliverAll(messages.filter(isDelivery), deps),
    takeSteps(messages.filter(isStep), deps),
    checkAll(messages.filter(isCheck), deps.now()),
  ]);
  return new Set<Taken>(done.flatMap((some) => [...some]));
}
