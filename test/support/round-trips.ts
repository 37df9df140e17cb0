import { credit } from '../../shared/accounts/ledger.ts';
import { createUser } from '../../shared/accounts/references.ts';
import type { TableAction } from '../../shared/api/route.ts';
import type { EndpointName, InvokeRequest } from './invoke.ts';

/** A request to an endpoint, and the DynamoDB calls that it may make. */
export type RoundTrips = {
  endpoint: EndpointName;
  /** The case that is special about the request. */
  when: string;
  /** Prepares the data that the request needs, and returns the request. */
  request: (organizationId: string) => Promise<Omit<InvokeRequest, 'organizationId'>>;
  /** Operations in order. A transaction counts as one. */
  calls: (TableAction | 'TransactWriteItems' | 'TransactGetItems')[];
  status: number;
};

/** Creates a user in this process, optionally with tickets. */
export async function makeUser(organizationId: string, tickets = 0): Promise<string> {
  const now = Date.now();
  const { user_id } = await createUser(organizationId, crypto.randomUUID(), now);
  if (tickets > 0) {
    const change = { amount: tickets, description: '', idempotency_key: 'start' };
    await credit({ organizationId, userId: user_id, account: 'tickets', change, now });
  }
  return user_id;
}
