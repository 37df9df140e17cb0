import { request } from './api.ts';

/**
 * Returns how many of an organization's messages the delivery queue contains, including invisible and delayed
 * messages.
 */
export async function queuedFor(organizationId: string): Promise<number> {
  const { body } = await request('GET', '/local/queues/deliveries', {});
  return body.messages.filter((text: string) => text.includes(organizationId)).length;
}
