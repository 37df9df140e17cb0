import { createOrganization } from '../../shared/operations/create-organization.ts';
import { client } from '../../shared/table/client.ts';
import { balances } from '../round-trips/balances.ts';
import { games } from '../round-trips/games.ts';
import { reports } from '../round-trips/reports.ts';
import { users } from '../round-trips/users.ts';
import { watchingCalls } from '../support/calls.ts';
import { invoke } from '../support/invoke.ts';
import type { RoundTrips } from '../support/round-trips.ts';
import type { Row } from './row.ts';
import { useTable } from './table.ts';

async function countedCalls({ endpoint, request }: RoundTrips): Promise<string[]> {
  await useTable();
  const { organization_id: organizationId } = await createOrganization('Bench', 'local', {
    operator: 'test',
    now: Date.now(),
  });
  const prepared = await request(organizationId);
  const { calls } = await watchingCalls(client, () => invoke(endpoint, { organizationId, ...prepared }));
  return calls.map(({ operation }) => operation);
}

/** The typical request of each endpoint: the endpoint's first case in the tests of round trips. */
const typicalRequests = [...users, ...balances, ...games, ...reports].filter(
  ({ endpoint }, index, all) =>
    // Excludes the play page, because only the bundler can build it. A separate test counts its round trips.
    endpoint !== 'play/open' && all.findIndex((other) => other.endpoint === endpoint) === index,
);

export const rows: Row[] = typicalRequests.map((request) => ({
  name: `calls-${request.endpoint}`,
  what: `round trips to DynamoDB of ${request.endpoint}`,
  floor: String(request.calls.length),
  target: { atMost: request.calls.length },
  measure: async () => {
    const calls = await countedCalls(request);
    return { value: calls.length, detail: calls.join(', ') };
  },
}));
