import { describe, expect, test } from 'vitest';
import { allRoutes } from '../shared/api/routes.ts';
import { client } from '../shared/table/client.ts';
import { amoe } from './round-trips/amoe.ts';
import { balances } from './round-trips/balances.ts';
import { docs } from './round-trips/docs.ts';
import { games } from './round-trips/games.ts';
import { reports } from './round-trips/reports.ts';
import { users } from './round-trips/users.ts';
import { webhooks } from './round-trips/webhooks.ts';
import { newOrganization } from './support/api.ts';
import { watchingCalls } from './support/calls.ts';
import { invoke } from './support/invoke.ts';

const table = [...users, ...balances, ...games, ...reports, ...amoe, ...webhooks, ...docs];

describe('the calls to DynamoDB', () => {
  test.each(table)('of $endpoint if $when are $calls', async ({ endpoint, request, calls, status }) => {
    const { organizationId } = await newOrganization();
    const prepared = await request(organizationId);
    const seen = await watchingCalls(client, () => invoke(endpoint, { organizationId, ...prepared }));
    expect(seen.result.status).toBe(status);
    expect(seen.calls.map(({ operation }) => operation)).toEqual(calls);
  });

  test('are counted for every endpoint', () => {
    const counted = new Set<string>(table.map(({ endpoint }) => endpoint));
    const missing = allRoutes.map(({ name }) => name).filter((name) => !counted.has(name));
    expect(missing).toEqual([]);
  });
});
