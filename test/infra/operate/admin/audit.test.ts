import { beforeAll, describe, expect, test } from 'vitest';
import { listActions } from '../../../../infra/operate/admin/audit.ts';
import { setGame } from '../../../../infra/operate/admin/games.ts';
import { setLimits } from '../../../../infra/operate/admin/limits.ts';
import { createApiKey, revokeApiKey } from '../../../../shared/actions/change-keys.ts';
import { createOrganization } from '../../../../shared/actions/create-organization.ts';
import { listApiKeys } from '../../../../shared/organizations/api-keys.ts';
import { startOfDay } from '../../../../shared/time.ts';
import { admin } from '../../../support/admin.ts';
import { type Api, newOrganization } from '../../../support/api.ts';
import { prizeOf } from '../../../support/prize.ts';
import { putPrizeTable } from '../../../support/put-prize-table.ts';

const minute = 60_000;
const start = Date.now() + 2 * minute;
const byAna = (minutes: number, why?: string) => ({ operator: 'ana', now: start + minutes * minute, why });
const prizes = [prizeOf('tickets', 1, 3), prizeOf('prize_imt', 1, 1)];

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
  await putPrizeTable(api.organizationId, 'truck', prizes, byAna(0, 'a week of top-ups'));
  await setGame(api.organizationId, 'truck', { cost: '7' }, { ...byAna(10), operator: 'ben' });
  await setLimits(api.organizationId, { dailyCash: '900' }, byAna(20));
  await createApiKey(api.organizationId, 'local', byAna(30, 'rotation'));
  const [oldest] = await listApiKeys(api.organizationId);
  await revokeApiKey(api.organizationId, oldest!.key_id, byAna(40));
});

describe('the audit of an organization', () => {
  test('lists actions, oldest first, with operator, time and reason', async () => {
    const { actions } = await listActions(api.organizationId, {}, start + 60 * minute);
    expect(actions.map(({ action, operator, why }) => [action, operator, why])).toEqual([
      ['opened', expect.any(String), undefined],
      ['changed', 'ana', 'a week of top-ups'],
      ['changed', 'ben', undefined],
      ['changed', 'ana', undefined],
      ['key_created', 'ana', 'rotation'],
      ['key_revoked', 'ana', undefined],
    ]);
    const keys = await listApiKeys(api.organizationId);
    expect(actions.slice(-2).map(({ about }) => about)).toEqual([
      { key_id: keys[1]!.key_id },
      { key_id: keys[0]!.key_id },
    ]);
    expect(JSON.stringify(actions)).not.toMatch(/secret|"pk"|"byTime/);
  });

  test('lists the actions of some days, both included', async () => {
    const at = (time: number) => ({ operator: 'ana', now: time });
    const [begins, ends] = [startOfDay('2026-03-07'), startOfDay('2026-03-09')];
    const { organization_id: org } = await createOrganization('Audited', 'local', at(begins - minute));
    for (const [time, dailyCash] of [
      [begins - 1, '1'],
      [begins, '2'],
      [ends - 1, '3'],
      [ends, '4'],
    ] as const)
      await setLimits(org, { dailyCash }, at(time));
    const days = ['--from', '2026-03-07', '--to', '2026-03-08'];
    const { actions } = (await admin('audit', 'list', '--org', org, ...days)).json;
    expect(actions.map(({ after }: { after: object }) => after)).toEqual([
      { daily_cash_limit_usd: 2 },
      { daily_cash_limit_usd: 3 },
    ]);
  });

  test('refuses half a period', async () => {
    const half = listActions(api.organizationId, { from: '2026-01-01' }, start);
    await expect(half).rejects.toThrow('Give --from and --to');
  });
});
