/**
 * The monthly use of an idle stage: its template's resources, and the measured invocations of its schedules.
 * Not included: opening the dashboard costs 0.005 USD for each GB of `check-payouts` log that it reads, 16 MB
 * a day for 1,000 organizations.
 */
import { schedules, workers } from '../../../infra/deploy/workers.ts';
import { templateOf } from '../../infra/deploy/support.ts';
import * as assumed from './assumptions.ts';
import type { AllTaken } from './operations.ts';
import { sumOf, type Use } from './prices.ts';

/** Returns the parts of an idle stage's monthly use, with labels. */
export function idleParts(taken: AllTaken): { what: string; use: Use }[] {
  const { of } = templateOf({ stage: 'production' });
  const [keys, alarms] = [of('AWS::KMS::Key').length, of('AWS::CloudWatch::Alarm').length];
  const dashboards = of('AWS::CloudWatch::Dashboard').length;
  const calls = scheduledCalls();
  const times = calls.reduce((sum, call) => sum + call.times, 0);
  const queues = workers.filter(({ source }) => 'queue' in source).length;
  const polls = (queues * assumed.pollsPerQueue * assumed.secondsPerMonth) / assumed.pollSeconds;
  const metrics = assumed.alwaysCounted.length;
  return [
    { what: `${alarms} alarms`, use: { 'CW:AlarmMonitorUsage': alarms } },
    { what: `${dashboards} dashboard`, use: { DashboardsUsageHour: dashboards } },
    { what: `${keys} keys of KMS`, use: { 'KMS-Keys': keys } },
    { what: `${metrics} metrics that schedules count`, use: { 'CW:MetricMonitorUsage': metrics } },
    { what: `Lambda's polls of ${queues} queues`, use: { 'SQS Requests-Tier1': polls } },
    {
      what: `${Math.round(times)} calls by schedules`,
      use: sumOf(
        ...calls.map(({ name, times }) => ({ times, use: taken.get(`${name}, with nothing to do`)!.use })),
      ),
    },
    { what: 'those schedules', use: { 'Scheduler-Invocations': times, 'KMS-Requests': times } },
  ];
}

/** Returns the scheduled invocations of each worker in a month. */
function scheduledCalls(): { name: string; times: number }[] {
  return workers.flatMap(({ name, source }) => {
    if (!('schedules' in source)) return [];
    const times = source.schedules.reduce(
      (sum, schedule) => sum + perMonth(schedules[schedule]!.expression),
      0,
    );
    return [{ name: name.split('/').at(-1)!, times }];
  });
}

/** Returns how often a schedule runs in a month. All cron expressions here run once a day. */
function perMonth(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour)s?\)$/.exec(expression) ?? [];
  if (!unit) return assumed.daysPerMonth;
  return assumed.secondsPerMonth / (Number(count) * (unit === 'hour' ? 3600 : 60));
}
