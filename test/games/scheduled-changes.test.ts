import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setGame } from '../../infra/operate/admin/games.ts';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import {
  cancelScheduled,
  type scheduleSettings,
  showScheduled,
} from '../../infra/operate/admin/schedule-games.ts';
import type { ActionRecord } from '../../shared/actions/action-records.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { makeScheduledChanges } from '../../shared/actions/scheduled-changes.ts';
import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { settingsOf } from '../../shared/games/settings.ts';
import { getItem } from '../../shared/table/client.ts';
import { actionsByTime, organizationKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, isoOf, newYorkTime, startOfDay } from '../../shared/time.ts';
import { times } from '../support/api.ts';
import { useOwnTable } from '../support/own-table.ts';

// Uses its own table, because `makeScheduledChanges` makes the scheduled changes of all organizations in the
// table.
await useOwnTable('scheduled-changes');

const scheduler = mockClient(SchedulerClient);
afterAll(() => scheduler.restore());
const now = Date.now();
const [tomorrow, later] = [addDays(dayOf(now), 1), addDays(dayOf(now), 2)];
const midnight = startOfDay(tomorrow);
const group = {
  SCHEDULE_GROUP: 'moments',
  SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/schedules',
  SCHEDULE_TARGET_ARN: 'arn:aws:lambda:us-east-1:000000000000:function:start-spin-run',
  SCHEDULE_DEAD_LETTER_ARN: 'arn:aws:sqs:us-east-1:000000000000:dead-letters',
};
const contextOf = (operator: string) => ({ operator, now });

let org: string;
beforeEach(async () => {
  scheduler.reset();
  Object.assign(process.env, group);
  ({ organization_id: org } = await createOrganization('Acme', 'local', {
    operator: 'test',
    now: now - 1000,
  }));
});
const settings = async () => settingsOf(await getItem(organizationKey(org)));
const limitFrom = (from: string, dailyCash: string, who = 'ana') =>
  setLimits(org, { from, dailyCash }, contextOf(who)) as ReturnType<typeof scheduleSettings>;

describe('a scheduled change', () => {
  test('for a day is made at that day’s midnight in New York', async () => {
    await limitFrom(tomorrow, '900');
    await makeScheduledChanges(() => midnight - 1);
    expect((await settings()).daily_cash_limit_usd).toBe(500);
    await makeScheduledChanges(() => midnight);
    expect((await settings()).daily_cash_limit_usd).toBe(900);
    expect((await showScheduled(org)).scheduled).toEqual([]);
  });

  test('is shown by the audit with the operator who scheduled it and the time it was made', async () => {
    const at = midnight;
    await setGame(org, 'flight', { cost: '12', from: tomorrow }, { ...contextOf('ana'), why: 'December' });
    await makeScheduledChanges(() => at);
    const [scheduled, made] = (await readRange(actionsByTime(org))).slice(-2);
    expect(made).toMatchObject({ date_created: isoOf(at), after: { cost_flight: 12 } });
    expect(made!.about).toMatchObject({ sequence: scheduled!.sequence });
    expect(scheduled).toMatchObject({ operator: 'ana', why: 'December' });
  });

  test('has one record when it is scheduled and one when it is made', async () => {
    await setGame(org, 'truck', { cost: '7', from: tomorrow }, { ...contextOf('ana'), why: 'December' });
    await makeScheduledChanges(() => midnight);
    const records = await readRange(actionsByTime(org));
    expect(records.slice(1)).toMatchObject([
      {
        action: 'scheduled',
        operator: 'ana',
        why: 'December',
        about: { from: isoOf(midnight), changes: { cost_truck: 7 } },
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

  test('can include a new prize table', async () => {
    const file = new URL('./support/small-table.json', import.meta.url).pathname;
    await setGame(org, 'truck', { file, from: tomorrow }, contextOf('ana'));
    expect((await settings()).prize_table_truck).toBe(defaultPrizeTables.truck.version);
    await makeScheduledChanges(() => midnight);
    const version = (await settings()).prize_table_truck;
    expect(await getItem({ pk: `ORG#${org}`, sk: `GAME#truck#${version}` })).toMatchObject({ version });
  });

  test('is made in the order of time, and later changes keep waiting', async () => {
    await limitFrom(later, '3');
    await limitFrom(tomorrow, '2');
    await limitFrom(tomorrow, '4');
    await makeScheduledChanges(() => midnight + 1000);
    expect((await settings()).daily_cash_limit_usd).toBe(4);
    expect((await showScheduled(org)).scheduled).toMatchObject([
      { from: newYorkTime(startOfDay(later)), changes: { daily_cash_limit_usd: 3 } },
    ]);
  });

  test('is made once, even if several workers try at the same time', async () => {
    await limitFrom(tomorrow, '900');
    await Promise.all(times(4, () => makeScheduledChanges(() => midnight)));
    const made = (await readRange(actionsByTime(org))).filter(({ action }) => action === 'changed');
    expect(made).toHaveLength(1);
  });

  test('is dated when it is made, and not when the loop over all organizations began', async () => {
    await limitFrom(tomorrow, '900');
    let time = midnight;
    await makeScheduledChanges(() => {
      time += 80_000;
      return time;
    });
    const made = (await readRange(actionsByTime(org))).at(-1) as ActionRecord;
    expect(Date.parse(made.date_created)).toBeGreaterThan(midnight + 80_000);
  });

  test('can be withdrawn by its number before it is made', async () => {
    const { scheduled } = await limitFrom(tomorrow, '900');
    expect(await cancelScheduled(org, String(scheduled[0]!.change), contextOf('ben'))).toEqual({
      scheduled: [],
    });
    await makeScheduledChanges(() => midnight);
    expect((await settings()).daily_cash_limit_usd).toBe(500);
    await expect(cancelScheduled(org, '2', contextOf('ben'))).rejects.toThrow('no change 2 is waiting');
  });

  test('does not interfere with an immediate change', async () => {
    await limitFrom(tomorrow, '900');
    await setLimits(org, { dailySpins: '9' }, contextOf('ben'));
    await makeScheduledChanges(() => midnight);
    expect(await settings()).toMatchObject({ daily_cash_limit_usd: 900, daily_spin_limit: 9 });
  });

  test.each([
    ['for a day that has begun', dayOf(now), '9', 'has passed'],
    ['for a time that has passed', isoOf(now - 1000), '9', 'has passed'],
    ['for an invalid time', 'tomorrow', '9', 'but is "tomorrow"'],
    ['to an invalid value', tomorrow, '-1', 'daily_cash_limit_usd'],
  ])('%s is refused', async (_, from, dailyCash, message) => {
    await expect(limitFrom(from, dailyCash)).rejects.toThrow(message);
    expect((await showScheduled(org)).scheduled).toEqual([]);
  });

  test('is refused if too many are waiting', async () => {
    for (const cash of times(20, String)) await limitFrom(tomorrow, cash);
    await expect(limitFrom(tomorrow, '1')).rejects.toThrow('20 changes are already waiting');
  });
});

describe('the time of a change', () => {
  test.each([
    ['2030-12-01', '2030-12-01T05:00:00.000Z', '2030-12-01T00:00:00-05:00'],
    ['2030-12-01T15:00', '2030-12-01T20:00:00.000Z', '2030-12-01T15:00:00-05:00'],
    ['2030-07-01T15:00:30.9', '2030-07-01T19:00:30.000Z', '2030-07-01T15:00:30-04:00'],
    ['2030-07-01T15:00+02:00', '2030-07-01T13:00:00.000Z', '2030-07-01T09:00:00-04:00'],
    // When clocks go back, 01:30 means its first occurrence. When clocks go forward, 02:30 does not exist and
    // means 03:30.
    ['2030-11-03T01:30', '2030-11-03T05:30:00.000Z', '2030-11-03T01:30:00-04:00'],
    ['2030-03-10T02:30', '2030-03-10T07:30:00.000Z', '2030-03-10T03:30:00-04:00'],
  ])('%s is stored as an instant and shown in New York time', async (typed, stored, shown) => {
    expect(await limitFrom(typed, '900')).toMatchObject({ scheduled: [{ from: shown }] });
    expect((await readRange(actionsByTime(org))).at(-1)).toMatchObject({ about: { from: stored } });
    await makeScheduledChanges(() => Date.parse(stored) - 1);
    expect((await settings()).daily_cash_limit_usd).toBe(500);
    await makeScheduledChanges(() => Date.parse(stored));
    expect((await settings()).daily_cash_limit_usd).toBe(900);
  });
});

describe('the one-time schedule of a change', () => {
  const created = () => scheduler.commandCalls(CreateScheduleCommand).map(({ args: [{ input }] }) => input);

  test('is named after the change, invokes the worker for its organization, and is deleted afterwards', async () => {
    await limitFrom('2030-12-01T15:00', '900');
    expect(created()).toMatchObject([
      {
        Name: `${org}-2`,
        GroupName: group.SCHEDULE_GROUP,
        ScheduleExpression: 'at(2030-12-01T20:00:00)',
        ScheduleExpressionTimezone: 'UTC',
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: group.SCHEDULE_TARGET_ARN,
          RoleArn: group.SCHEDULE_ROLE_ARN,
          DeadLetterConfig: { Arn: group.SCHEDULE_DEAD_LETTER_ARN },
          Input: `{"now":"<aws.scheduler.scheduled-time>","organization_id":"${org}"}`,
        },
      },
    ]);
  });

  test('makes only the due changes of its organization', async () => {
    const other = org;
    await limitFrom(tomorrow, '900');
    const context = { operator: 'test', now: now - 1000 };
    ({ organization_id: org } = await createOrganization('Beside', 'local', context));
    await limitFrom(tomorrow, '800');
    const event = { now: isoOf(midnight), organization_id: org };
    expect(await startSpinRun(event, now, makeScheduledChanges)).toEqual({ shards: 0 });
    expect((await settings()).daily_cash_limit_usd).toBe(800);
    org = other;
    expect((await settings()).daily_cash_limit_usd).toBe(500);
  });

  test('makes no change early, whatever its event says', async () => {
    await limitFrom(tomorrow, '900');
    vi.stubEnv('STAGE', 'production');
    await startSpinRun(
      { now: isoOf(midnight), organization_id: org },
      midnight - 120_000,
      makeScheduledChanges,
    );
    vi.unstubAllEnvs();
    expect((await settings()).daily_cash_limit_usd).toBe(500);
  });

  test('can already exist, because AWS may have received the request twice', async () => {
    scheduler.on(CreateScheduleCommand).rejects(Object.assign(new Error(), { name: 'ConflictException' }));
    expect(await limitFrom(tomorrow, '900')).not.toHaveProperty('warning');
  });

  test.each([
    ['AWS refuses', () => scheduler.on(CreateScheduleCommand).rejects(new Error('Too many schedules'))],
    ['cannot be requested', () => delete process.env.SCHEDULE_GROUP],
  ])('that %s causes a warning, and the sweep makes the change', async (_, fail) => {
    fail();
    const { scheduled, warning } = await limitFrom(tomorrow, '900');
    expect(warning).toMatch(/^Change 2 is stored, .*The sweep will make the change up to 15 minutes late\.$/);
    expect(scheduled).toHaveLength(1);
    await makeScheduledChanges(() => midnight + 15 * 60_000);
    expect((await settings()).daily_cash_limit_usd).toBe(900);
  });

  test('does nothing for a withdrawn change', async () => {
    await limitFrom(tomorrow, '900');
    await cancelScheduled(org, '2', contextOf('ben'));
    await makeScheduledChanges(() => midnight, org);
    const actions = (await readRange(actionsByTime(org))).map(({ action }) => action);
    expect(actions).toEqual(['opened', 'scheduled', 'unscheduled']);
  });

  test('is not created if its change is refused', async () => {
    await expect(limitFrom(dayOf(now), '900')).rejects.toThrow('has passed');
    expect(created()).toEqual([]);
  });
});
