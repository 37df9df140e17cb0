import { request } from './api.ts';

/** How many deliveries of an organization lie on the queue of deliveries, whatever their state. */
export async function queuedFor(organizationId: string): Promise<number> {
  const { body } = await request('GET', '/local/queues/deliveries', {});
  return body.messages.filter((text: string) => text.includes(organizationId)).length;
}
