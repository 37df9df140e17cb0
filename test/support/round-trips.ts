import { credit } from '../../shared/accounts/ledger.ts';
import { createUser } from '../../shared/accounts/references.ts';
import type { TableAction } from '../../shared/api/route.ts';
import type { EndpointName, InvokeRequest } from './invoke.ts';

/** One request to an endpoint, and the calls to DynamoDB that it may make, in order. */
export type RoundTrips = {
  endpoint: EndpointName;
  /** What is special about the request. */
  when: string;
  /** Prepares what the request needs, and answers the request. */
  request: (organizationId: string) => Promise<Omit<InvokeRequest, 'organizationId'>>;
  /** Operations, in order; a transaction is `TransactWriteItems`. */
  calls: (TableAction | 'TransactWriteItems' | 'TransactGetItems')[];
  status: number;
};

/** Makes a user in this process, with tickets where a number is given. */
export async function makeUser(organizationId: string, tickets = 0): Promise<string> {
  const now = Date.now();
  const { user_id } = await createUser(organizationId, crypto.randomUUID(), now);
  if (tickets > 0) {
    const change = { amount: tickets, description: '', idempotency_key: 'start' };
    await credit({ organizationId, userId: user_id, account: 'tickets', change, now });
  }
  return user_id;
}
