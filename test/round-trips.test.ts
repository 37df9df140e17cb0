import { describe, expect, test } from 'vitest';
import { tableClient } from '../shared/table/client.ts';
import { amoe } from './round-trips/amoe.ts';
import { balances } from './round-trips/balances.ts';
import { games } from './round-trips/games.ts';
import { reports } from './round-trips/reports.ts';
import { users } from './round-trips/users.ts';
import { webhooks } from './round-trips/webhooks.ts';
import { newOrganization } from './support/api.ts';
import { watchingCalls } from './support/calls.ts';
import { invoke } from './support/invoke.ts';

const table = [...users, ...balances, ...games, ...reports, ...amoe, ...webhooks];

describe('the calls to DynamoDB', () => {
  test.each(table)('of $endpoint if $when are $calls', async ({ endpoint, request, calls, status }) => {
    const { organizationId } = await newOrganization();
    const prepared = await request(organizationId);
    const seen = await watchingCalls(tableClient, () => invoke(endpoint, { organizationId, ...prepared }));
    expect(seen.result.status).toBe(status);
    expect(seen.calls.map(({ operation }) => operation)).toEqual(calls);
  });
});
