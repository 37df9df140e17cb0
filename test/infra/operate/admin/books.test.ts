import { expect, test } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { createOrganization } from '../../../../shared/operations/create-organization.ts';
import { addDays, dayOf } from '../../../../shared/time.ts';
import { changesOn } from './operations-on.ts';

async function close(organizationId: string) {
  const printed: string[] = [];
  const console = { out: (text: string) => printed.push(text), error: (text: string) => printed.push(text) };
  const args = ['book', 'close', '--org', organizationId, '--why', 'an audit', '--stage', 'local'];
  const code = await runCommand(args, console);
  return { code, printed: printed.at(-1) ?? '' };
}

test('book close closes each past day once, with a record', async () => {
  const opened = Date.now() - 49 * 3_600_000;
  const context = { operator: 'test', now: opened };
  const { organization_id } = await createOrganization('Books', 'local', context);
  const days = [dayOf(opened), addDays(dayOf(opened), 1)];
  for (const closed of [days, []]) {
    const { code, printed } = await close(organization_id);
    expect([code, JSON.parse(printed)]).toEqual([0, { closed }]);
  }
  const ofOperator = { action: 'book_closed', operator: 'local', why: 'an audit' };
  expect(await changesOn(organization_id)).toEqual([
    { ...ofOperator, last_book: { after: days[0] } },
    { ...ofOperator, last_book: { before: days[0], after: days[1] } },
  ]);
});

test('book close reports an unknown organization', async () => {
  const { code, printed } = await close('org_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  expect(code).toBe(1);
  expect(printed).toContain('There is no organization org_01ARZ3NDEKTSV4RRFFQ69G5FAV');
});
