/** What accountants and lawyers ask for at the end: the figures of an organization, for the rules to add up again. */
import { dayAt } from '../rules/true-time.ts';
import type { Api } from './surroundings.ts';

/** Asks for what an organization's users hold, its cash day by day, its free spins beside plays, and its first days. */
export async function askForFigures(api: Api, organizationId: string): Promise<void> {
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
