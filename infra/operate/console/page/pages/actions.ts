import { labelOf, valueText } from '../format.ts';

/** An action in the output of `audit list`. */
export type ListedAction = {
  action: string;
  sequence: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** What the action is about. Absent for a change of settings that was not scheduled. */
  about?: Record<string, unknown>;
  table?: { game: string; version: string; prizes: unknown[] };
};

type Fields = Record<string, unknown>;

export function describeChanges({ action, sequence, about = {}, table, ...settings }: ListedAction): string {
  if (action === 'opened') return 'The organization was created with the default settings.';
  const { page, webhook, balance, changes, sequence: of, ...others } = about as Record<string, Fields>;
  const change = action === 'scheduled' ? sequence : of;
  const before = { ...settings.before, ...(page?.before as Fields), ...(webhook?.before as Fields) };
  const after = { ...settings.after, ...changes, ...(page?.after as Fields), ...(webhook?.after as Fields) };
  const moved = balance && { balance: `${balance.before} → ${balance.after}` };
  const changed = [...new Set([...Object.keys(after), ...Object.keys(before)])].map((name) => {
    const was = name in before ? `${valueText(name, before[name])} → ` : '';
    return `${labelOf(name)}: ${was}${valueText(name, after[name])}`;
  });
  const put = table ? [`Table with ${table.prizes.length} prizes for ${labelOf(table.game)}`] : [];
  const concerned = Object.entries({ ...moved, ...others, ...(change && { change }) }).map(
    ([name, value]) => `${labelOf(name)}: ${valueText(name, value)}`,
  );
  return [...put, ...changed, ...concerned].join('; ');
}
