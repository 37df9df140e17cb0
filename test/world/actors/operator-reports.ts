/** Operators request reports for accountants and lawyers at the end of a run. Rules recompute the numbers. */
import { dayAt } from '../rules/days-and-ulids.ts';
import type { Api } from './api.ts';

/**
 * Requests an organization's reports: liability, cash and free spins (AMOE) of all days, and the day reports of the
 * first two days.
 */
export async function requestReports(api: Api, organizationId: string): Promise<void> {
  const begun = dayAt(api.journal.operatorCommands[0]!.at);
  const [org, from, to] = [
    ['--org', organizationId],
    ['--from', begun],
    ['--to', dayAt(api.now())],
  ];
  await api.admin(['report', 'liability', ...org]);
  await api.admin(['report', 'cash', ...org, ...from, ...to]);
  await api.admin(['report', 'amoe', ...org, ...from, ...to]);
  for (const day of [begun, dayAt(api.journal.operatorCommands[0]!.at + 86_400_000)])
    if (day < dayAt(api.now())) await api.admin(['report', 'day', ...org, '--day', day]);
}
