import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { createOrganization } from '../../../../shared/actions/create-organization.ts';
import { addDays, dayOf } from '../../../../shared/time.ts';
import { changesOn } from './actions-on.ts';

async function run(...args: string[]) {
  const printed: string[] = [];
  const console = { out: (text: string) => printed.push(text), error: (text: string) => printed.push(text) };
  const code = await runCommand(['book', ...args, '--stage', 'local'], console);
  return { code, printed: printed.at(-1) ?? '' };
}
const close = (organizationId: string) => run('close', '--org', organizationId, '--why', 'an audit');

test('book close closes each past day once, with a record, and book export writes a book to a new folder', async () => {
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
  const base = mkdtempSync(join(tmpdir(), 'books-'));
  const folder = join(base, 'new', 'books');
  const exported = await run('export', days[0]!, '--org', organization_id, '--out', folder);
  const files = ['book', 'records'].map((kind) => join(folder, `${organization_id}.${days[0]}.${kind}`));
  expect([exported.code, JSON.parse(exported.printed)]).toEqual([0, { files }]);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual(files);
  writeFileSync(join(base, 'file'), '');
  const refused = await run(
    'export',
    days[0]!,
    '--org',
    organization_id,
    '--out',
    join(base, 'file', 'books'),
  );
  expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining("can't be written") });
});

test('book close reports an unknown organization', async () => {
  const { code, printed } = await close('org_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  expect(code).toBe(1);
  expect(printed).toContain('There is no organization org_01ARZ3NDEKTSV4RRFFQ69G5FAV');
});
