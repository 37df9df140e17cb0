import { expect, test } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { newOrganization } from '../../../support/api.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../../../support/records.ts';
import { changesOn } from './actions-on.ts';

async function rebuild(organizationId: string) {
  const printed: string[] = [];
  const console = { out: (text: string) => printed.push(text), error: (text: string) => printed.push(text) };
  const code = await runCommand(
    ['reports', 'rebuild', '--org', organizationId, '--why', 'a fault', '--stage', 'local'],
    console,
  );
  return { code, printed: printed.at(-1) ?? '' };
}

async function rowsOf(organizationId: string, userId: string): Promise<Written[]> {
  let user = userOf(organizationId, userId);
  const rows: Written[] = [];
  // The stage's own worker does not index fewer than 64 rows, so the index is empty until the command runs.
  for (let i = 0; i < 60; i++) {
    const posted = await transactionOf(user, i % 2 ? 'truck' : 'flight', Date.UTC(2025, 0, 1) + i);
    user = posted.user;
    rows.push(posted.record as Written);
  }
  return rows;
}

test('reports rebuild indexes all settled rows', async () => {
  const api = await newOrganization();
  await writeRecords(await rowsOf(api.organizationId, await api.user()));
  const { code, printed } = await rebuild(api.organizationId);
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toEqual({
    organization_id: api.organizationId,
    indexed_rows: { tickets: 0, entries: 60, outcomes: 0 },
  });
  await rebuild(api.organizationId);
  const rebuilt = { action: 'reports_rebuilt', operator: 'local', why: 'a fault' };
  expect(await changesOn(api.organizationId)).toEqual([rebuilt, rebuilt]);
  const { body } = await api.get('/entrties/history', { page: 2, page_size: 25 });
  expect([body.total_count, body.transactions.length]).toEqual([60, 10]);
});

test('reports rebuild reports an unknown organization', async () => {
  const { code, printed } = await rebuild('org_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  expect(code).toBe(1);
  expect(printed).toContain('There is no organization org_01ARZ3NDEKTSV4RRFFQ69G5FAV');
});
