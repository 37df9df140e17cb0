import { request } from './api.ts';

/**
 * Returns the number of an organization's messages in the delivery queue of the local stage, including
 * invisible and delayed messages.
 */
export async function queuedFor(organizationId: string): Promise<number> {
  const { body } = await request('GET', '/local/queues/deliveries', {});
  return body.messages.filter((text: string) => text.includes(organizationId)).length;
}
