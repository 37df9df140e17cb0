/** Handles messages of the queue of deliveries by their kind. */
import type { DeliveryDeps } from './attempt.ts';
import { takeSteps } from './backlog-steps.ts';
import { checkAll } from './check-backlog.ts';
import { deliverAll } from './delivery.ts';
import { isCheck, isDelivery, isStep, type Taken } from './delivery-queue.ts';

/** Handles messages, all at a time. Returns those that are settled; the others have to come again. */
export async function handleMessages(messages: Taken[], deps: DeliveryDeps): Promise<Set<Taken>> {
  const done = await Promise.all([
    deliverAll(messages.filter(isDelivery), deps),
    takeSteps(messages.filter(isStep), deps),
    checkAll(messages.filter(isCheck), deps.now()),
  ]);
  return new Set<Taken>(done.flatMap((some) => [...some]));
}
