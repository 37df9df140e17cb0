import { beforeEach, describe, expect, test } from 'vitest';
import { settingsAt } from '../../infra/operate/admin/audit.ts';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import {
  cancelScheduled,
  scheduleGame,
  scheduleLimits,
  showScheduled,
} from '../../infra/operate/admin/schedule-games.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { settingsOf } from '../../shared/games/settings.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { makeScheduledChanges, mostScheduled } from '../../shared/operations/scheduled-changes.ts';
import { get } from '../../shared/table/client.ts';
import { operationsByTime, organizationKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';
import { times } from '../support/api.ts';
import { useOwnTable } from '../support/own-table.ts';

// A table of its own: no other organization's changes are made.
await useOwnTable('scheduled-changes');

const now = Date.now();
const [tomorrow, later] = [addDays(dayOf(now), 1), addDays(dayOf(now), 2)];
const by = (operator: string) => ({ operator, now });

let org: string;
beforeEach(async () => {
  ({ organization_id: org } = await createOrganization('Acme', 'local', {
    operator: 'test',
    now: now - 1000,
  }));
});
const settings = async () => settingsOf(await get(organizationKey(org)));
const limitFrom = (from: string, dailyCash: string, who = 'ana') =>
  scheduleLimits(org, { from, dailyCash }, by(who));

describe('a change that is set for a day', () => {
  test('waits for its midnight in New York, and is made then', async () => {
    await limitFrom(tomorrow, '900');
    await makeScheduledChanges(startOfDay(tomorrow) - 1);
    expect((await settings()).daily_cash_limit_usd).toBe(500);
    await makeScheduledChanges(startOfDay(tomorrow));
    expect((await settings()).daily_cash_limit_usd).toBe(900);
    expect((await showScheduled(org)).scheduled).toEqual([]);
  });

  test('is told by the audit as set by whoever set it, from the time at which it was made', async () => {
    const at = startOfDay(tomorrow);
    await scheduleGame(org, 'flight', { cost: '12', from: tomorrow }, { ...by('ana'), why: 'December' });
    await makeScheduledChanges(at);
    const { settings } = await settingsAt(org, isoOf(at + 1000), 'flight');
    const [scheduled, made] = (await readRange(operationsByTime(org))).slice(-2);
    expect(settings.cost_flight).toEqual({
      value: 12,
      since: isoOf(at),
      operator: 'ana',
      why: 'December',
      operation_id: made!.operation_id,
      scheduled_by: scheduled!.operation_id,
    });
  });

  test('is one record when it is set, and one when it is made', async () => {
    await scheduleGame(org, 'truck', { cost: '7', from: tomorrow }, { ...by('ana'), why: 'December' });
    await makeScheduledChanges(startOfDay(tomorrow));
    const records = await readRange(operationsByTime(org));
    expect(records.slice(1)).toMatchObject([
      {
        action: 'scheduled',
        operator: 'ana',
        why: 'December',
        about: { from: tomorrow, changes: { cost_truck: 7 } },
        after: {},
      },
      {
        action: 'changed',
        operator: 'schedule',
        about: { sequence: 2 },
        before: { cost_truck: 5 },
        after: { cost_truck: 7 },
      },
    ]);
  });

  test('may be a prize table that has not been there before', async () => {
    const file = new URL('./support/small-table.json', import.meta.url).pathname;
    await scheduleGame(org, 'truck', { file, from: tomorrow }, by('ana'));
    expect((await settings()).prize_table_truck).toBe(defaultPrizeTables.truck.version);
    await makeScheduledChanges(startOfDay(tomorrow));
    const version = (await settings()).prize_table_truck;
    expect(await get({ pk: `ORG#${org}`, sk: `GAME#truck#${version}` })).toMatchObject({ version });
  });

  test('comes after those of earlier days, and leaves later ones waiting', async () => {
    await limitFrom(later, '3');
    await limitFrom(tomorrow, '2');
    await limitFrom(tomorrow, '4');
    await makeScheduledChanges(startOfDay(tomorrow) + 1000);
    expect((await settings()).daily_cash_limit_usd).toBe(4);
    expect((await showScheduled(org)).scheduled).toMatchObject([
      { from: later, changes: { daily_cash_limit_usd: 3 } },
    ]);
  });

  test('is made once, however often it is tried at the same moment', async () => {
    await limitFrom(tomorrow, '900');
    await Promise.all(times(4, () => makeScheduledChanges(startOfDay(tomorrow))));
    const made = (await readRange(operationsByTime(org))).filter(({ action }) => action === 'changed');
    expect(made).toHaveLength(1);
  });

  test('can be taken back until then, by its number', async () => {
    const { scheduled } = await limitFrom(tomorrow, '900');
    expect(await cancelScheduled(org, String(scheduled[0]!.sequence), by('ben'))).toEqual({ scheduled: [] });
    await makeScheduledChanges(startOfDay(tomorrow));
    expect((await settings()).daily_cash_limit_usd).toBe(500);
    await expect(cancelScheduled(org, '2', by('ben'))).rejects.toThrow('none of number 2 waits');
  });

  test('is beside what is changed at once', async () => {
    await limitFrom(tomorrow, '900');
    await setLimits(org, { dailySpins: '9' }, by('ben'));
    await makeScheduledChanges(startOfDay(tomorrow));
    expect(await settings()).toMatchObject({ daily_cash_limit_usd: 900, daily_spin_limit: 9 });
  });

  test.each([
    ['of a day that has begun', dayOf(now), '9', 'has begun in New York'],
    ['of what is no day', 'tomorrow', '9', '--from is "tomorrow"'],
    ['of what cannot be set', tomorrow, '-1', 'daily_cash_limit_usd'],
  ])('%s is refused', async (_, from, dailyCash, message) => {
    await expect(limitFrom(from, dailyCash)).rejects.toThrow(message);
    expect((await showScheduled(org)).scheduled).toEqual([]);
  });

  test('is one of so many at most', async () => {
    for (const cash of times(mostScheduled, String)) await limitFrom(tomorrow, cash);
    await expect(limitFrom(tomorrow, '1')).rejects.toThrow(`${mostScheduled} changes wait already`);
  });
});
