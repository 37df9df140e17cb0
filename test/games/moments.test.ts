import { expect, test } from 'vitest';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { readSettings } from '../../infra/operate/admin/organization.ts';
import { isoOf } from '../../shared/time.ts';
import { newOrganization } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { testContext } from '../support/test-context.ts';

test('the stage makes a scheduled change on time, without a sweep', async () => {
  const { organizationId } = await newOrganization();
  const typed = { dailyCash: '900', from: isoOf(Date.now() + 2000) };
  expect(await setLimits(organizationId, typed, testContext())).not.toHaveProperty('warning');
  await eventually(async () => {
    expect((await readSettings(organizationId)).daily_cash_limit_usd).toBe(900);
  });
});
