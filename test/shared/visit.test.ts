import { expect, test } from 'vitest';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { visitOrganizations } from '../../shared/organizations/visit.ts';
import { times } from '../support/api.ts';
import { useOwnTable } from '../support/own-table.ts';
import { testContext } from '../support/test-context.ts';

test('organizations that a worker has no time to visit are counted', async () => {
  await useOwnTable('visit');
  const ids = await Promise.all(
    times(5, async (i) => (await createOrganization(`Host ${i}`, 'local', testContext())).organization_id),
  );
  for (const maxVisits of [0, 1, 3, 5]) {
    const visited: string[] = [];
    let remaining = maxVisits;
    const visit = { worker: 'test', concurrency: 2, hasTime: () => remaining-- > 0 };
    const result = await visitOrganizations(visit, async (id) => void visited.push(id));
    expect(result).toEqual({ all: 5, failed: 0, left: 5 - maxVisits });
    expect(new Set(visited).size).toBe(maxVisits);
    expect(ids).toEqual(expect.arrayContaining(visited));
  }
});
