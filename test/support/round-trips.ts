import { credit } from '../../shared/accounts/ledger.ts';
import { createUser } from '../../shared/accounts/references.ts';
import type { TableAction } from '../../shared/api/route.ts';
import type { EndpointName, InvokeRequest } from './invoke.ts';

/** A request to an endpoint, and the DynamoDB calls that the endpoint may make for it. */
export type RoundTrips = {
  endpoint: EndpointName;
  /** Text in the test's name that distinguishes this request from other requests to the same endpoint. */
  when: string;
  /** Creates the data that the request needs, and returns the request. */
  request: (organizationId: string) => Promise<Omit<InvokeRequest, 'organizationId'>>;
  /** The expected DynamoDB operations, in order. A transaction counts as one operation. */
  calls: (TableAction | 'TransactWriteItems' | 'TransactGetItems')[];
  status: number;
};

/** Creates a user without an HTTP request, optionally with tickets. Returns the user id. */
export async function makeUser(organizationId: string, tickets = 0): Promise<string> {
  const now = Date.now();
  const { user_id } = await createUser(organizationId, crypto.randomUUID(), now);
  if (tickets > 0) {
    const change = { amount: tickets, description: '', idempotency_key: 'start' };
    await credit({ organizationId, userId: user_id, account: 'tickets', change, now });
  }
  return user_id;
}
