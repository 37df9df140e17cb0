import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { reportTaxes } from '../../../../infra/operate/admin/report/reports.ts';
import { appendRecord } from '../../../../shared/accounts/records.ts';
import { markUserErased } from '../../../../shared/actions/erase-user.ts';
import { recordClaimStep } from '../../../../shared/actions/step-prize.ts';
import { defaultPrizeTables } from '../../../../shared/games/prize-tables.ts';
import { findDueClaims } from '../../../../shared/prizes/due-claims.ts';
import { getItem, tableClient } from '../../../../shared/table/client.ts';
import { organizationKey } from '../../../../shared/table/keys.ts';
import { dayOf } from '../../../../shared/time.ts';
import { admin } from '../../../support/admin.ts';
import { type Api, newOrganization } from '../../../support/api.ts';
import { whileQueriesTake } from '../../../support/calls.ts';
import { prizeOf } from '../../../support/prize.ts';
import { putPrizeTable } from '../../../support/put-prize-table.ts';
import { newOutcome, userOf, writeRecords } from '../../../support/records.ts';
import { testContext } from '../../../support/test-context.ts';

let api: Api;
let user: string;
beforeEach(async () => {
  api = await newOrganization();
  user = await api.user();
  const gift = { ...prizeOf('prize_merchandise', 1, 1), value_usd: 40 };
  await putPrizeTable(api.organizationId, 'prizewheel', [gift], testContext());
});
const folder = mkdtempSync(join(tmpdir(), 'prizes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const today = dayOf(Date.now());
const run = (noun: string, verb: string, ...options: string[]) =>
  admin(noun, verb, '--org', api.organizationId, ...options);
const report = async (name: string, ...options: string[]) => (await run('report', name, ...options)).json;
let keys = 0;
async function win(spins: number, of = user): Promise<string[]> {
  const body = { num_of_spins: spins, idempotency_key: `win ${++keys}` };
  return (await api.post(`/users/guest/${of}/game/play`, body)).body.items.map(
    ({ id }: { id: string }) => id,
  );
}
const track = (days: string, ...more: string[]) =>
  run('prize', 'track', '--kinds', 'prize_merchandise', '--claim-days', days, ...more);

describe('an operator', () => {
  test('lists what is owed, and delivers, holds, forfeits and corrects', async () => {
    const [untracked] = await win(1);
    await track('30');
    expect((await track('9', '--dry-run')).json).toMatchObject({ dry_run: true, claim_days: 9 });
    const [first, second, third] = await win(3);
    const of = (prize: string | undefined, ...more: string[]) => ['--prize', prize!, ...more];
    const parcel = of(second, '--reference', 'parcel');
    const dry = (await run('prize', 'deliver', ...parcel, '--dry-run')).json;
    expect(dry).toMatchObject({ dry_run: true, would_change: true, state: 'delivered', delivered_on: today });
    await run('prize', 'deliver', ...parcel);
    await run('prize', 'hold', ...of(third, '--why', 'no W-9 yet'));
    await run('prize', 'forfeit', ...of(untracked, '--why', 'not claimed'));
    const { total, prizes } = (await run('prize', 'list')).json;
    expect([total, prizes]).toMatchObject([2, [{ prize_id: first }, { prize_id: third }]]);
    const again = await run('prize', 'deliver', ...of(second, '--reference', 'other'));
    expect([again.code, again.error]).toEqual([1, expect.stringContaining('already delivered')]);
    const corrected = of(second, '--state', 'open', '--why', 'came back');
    expect((await run('prize', 'correct', ...corrected)).json).toMatchObject({ state: 'open' });
    const { records } = (await run('user', 'history', '--user', user)).json;
    expect(records[0]).toMatchObject({
      sentence: 'local corrected the state of the prize merchandise to open: “came back”.',
      correction: true,
    });
  });

  test('imports steps from a file: all lines or none, after a dry run that names the wrong ones', async () => {
    const [one, two, three] = await win(3);
    const leaving = await api.user();
    const [erased] = await win(1, leaving);
    await run('user', 'erase', '--user', leaving, '--why', 'asked to');
    const file = join(folder, 'steps.csv');
    const write = (...lines: string[]) => writeFileSync(file, `\uFEFF${lines.join('\r\n')}\r\n`);
    const head = 'prize_id,state,reference,reason,delivered_on';
    const good = [`${one},delivered,"parcel ""1"", north",,${today}`, `${two},held,,W-9`];
    const bad = [`${three},delivered,,,`, 'out_1,delivered,x,,', `${two},open,,`, `${erased},held,,W-9`];
    write(head, ...good, ...bad);
    const { json } = await run('prize', 'import', '--file', file, '--dry-run');
    expect(json).toMatchObject({ dry_run: true, lines: 6, steps: 2, wrong: 4 });
    expect(json.faults).toEqual([
      { line: 4, fault: 'reference: Field required' },
      { line: 5, fault: 'Invalid prize ID' },
      { line: 6, fault: 'prize_id: Line 3 has this prize too' },
      { line: 7, fault: 'Invalid prize ID' },
    ]);
    const refused = await run('prize', 'import', '--file', file);
    expect(refused).toMatchObject({ code: 1, error: expect.stringMatching(/4 lines are wrong, so nothing/) });
    const { prizes } = (await run('prize', 'list', '--state', 'all')).json;
    const unchanged = [one, two, three, erased].map((prize_id) => ({ prize_id, state: 'untracked' }));
    expect(prizes).toMatchObject(unchanged);
    write(head, ...good);
    // An interrupted import has delivered one prize.
    await run('prize', 'deliver', '--prize', one!, '--reference', 'parcel "1", north');
    const start = Date.now();
    // Checking the lines takes minutes.
    const slow = () => run('prize', 'import', '--file', file);
    const { result } = await whileQueriesTake(8000, tableClient, slow);
    expect(result.json).toEqual({ lines: 2, steps: 1, unchanged: 1 });
    expect((await run('prize', 'import', '--file', file)).json).toEqual({ lines: 2, steps: 0, unchanged: 2 });
    const { items } = (await api.get(`/users/${user}/prizes`)).body;
    const isLate = (at: string) => Date.parse(at) >= start + 60_000;
    expect(items).toMatchObject([
      { state: 'untracked' },
      { state: 'held', reason: 'W-9', state_at: expect.toSatisfy(isLate) },
      { state: 'delivered', reference: 'parcel "1", north', delivered_on: today },
    ]);
  });
});

test('reports say what is in hand, and what is owed since when', async () => {
  await win(1);
  await track('30');
  const [first, second] = await win(2);
  await run('prize', 'deliver', '--prize', second!, '--reference', 'parcel');
  const winners = await report('winners', '--from', today, '--to', today);
  expect(winners.rows).toMatchObject([
    { state: 'untracked', delivered_on: null },
    { outcome_id: first, state: 'open', delivered_on: null },
    { outcome_id: second, state: 'delivered', delivered_on: today },
  ]);
  const { rows } = await report('liability');
  expect(rows.filter(({ account }: { account: string }) => account === 'prizes')).toMatchObject([
    {
      held_by: 'users',
      balance: 1,
      credited: 2,
      debited: 1,
      value_usd: 40,
      oldest_won_at: winners.rows[1].won_at,
    },
    { held_by: 'erased_users', balance: 0, oldest_won_at: null },
  ]);
});

test('a prize counts for taxes in the year of its delivery, and never if it was forfeited', async () => {
  const { organizationId } = api;
  const cash = {
    ...newOutcome('2023-12-30T05:00:00.000Z'),
    prize: { cash_usd: 1000 },
    prize_table_version: defaultPrizeTables.prizewheel.version,
  };
  let winner = userOf(organizationId, user);
  const ids: string[] = [];
  for (const year of [2023, 2023, 2023, 2024]) {
    const appended = appendRecord(winner, cash, Date.parse(`${year}-12-30T12:00:00Z`));
    winner = appended.user;
    ids.push(appended.record.id);
    await writeRecords([appended.record as never]);
  }
  const step = (prizeId: string, state: 'delivered' | 'forfeited', delivered_on?: string) =>
    recordClaimStep({
      organizationId,
      prizeId,
      step: { state, reference: 'x', reason: 'y', ...(delivered_on && { delivered_on }) },
      operator: 'test',
      now: Date.now(),
    });
  await step(ids[0]!, 'delivered', '2024-01-02');
  await expect(step(ids[0]!, 'delivered', '2023-12-31')).rejects.toThrow('already delivered');
  expect(await step(ids[0]!, 'delivered')).toMatchObject({ delivered_on: '2024-01-02' });
  await step(ids[1]!, 'forfeited');
  const sumOf = async (year: string) =>
    (await reportTaxes(organizationId, { year }, Date.now())).head.cash_usd;
  expect([await sumOf('2023'), await sumOf('2024')]).toEqual([1000, 2000]);
});

test('a prize that is still owed a week before its deadline is found once, whatever the deadline is now', async () => {
  await track('30');
  const [first, second] = await win(2);
  await run('prize', 'deliver', '--prize', second!, '--reference', 'parcel');
  await track('90');
  const organization = (await getItem(organizationKey(api.organizationId)))!;
  const weekBefore = Date.now() + 23 * 24 * 3_600_000;
  const minute = 60_000;
  expect(await findDueClaims(organization, weekBefore - minute, weekBefore + minute)).toEqual([first]);
  expect(await findDueClaims(organization, weekBefore + minute, weekBefore + 2 * minute)).toEqual([]);
  await markUserErased(api.organizationId, user, testContext());
  expect(await findDueClaims(organization, weekBefore - minute, weekBefore + minute)).toEqual([]);
  const { next } = (await admin('explain', first!, '--json')).json;
  expect(next).toEqual([expect.stringContaining('book list')]);
});
