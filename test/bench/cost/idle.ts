/** Computes an idle stage's monthly use of AWS. Omits the dashboard's log queries (0.005 USD per GB of log). */
import { schedules, workers } from '../../../infra/deploy/workers.ts';
import { templateOf } from '../../infra/deploy/support.ts';
import * as assumed from './assumptions.ts';
import type { MeasuredUses } from './operations.ts';
import { sumOf, type Use } from './prices.ts';

/** Returns an idle stage's monthly use of AWS by kind of resource. `what` is the printed label. */
export function idleParts(measured: MeasuredUses): { what: string; use: Use }[] {
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
        ...calls.map(({ name, times }) => ({ times, use: measured.get(`${name}, with nothing to do`)!.use })),
      ),
    },
    { what: 'those schedules', use: { 'Scheduler-Invocations': times, 'KMS-Requests': times } },
  ];
}

/** Returns each scheduled worker's number of invocations per month. */
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

/** Returns how often a schedule runs per month. Every cron expression of the project runs once a day. */
function perMonth(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour)s?\)$/.exec(expression) ?? [];
  if (!unit) return assumed.daysPerMonth;
  return assumed.secondsPerMonth / (Number(count) * (unit === 'hour' ? 3600 : 60));
}
