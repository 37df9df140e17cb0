import { labelOf, valueText } from '../format.ts';

/** An action in the output of `audit list`. */
export type Action = {
  operation_id: string;
  date_created: string;
  operator: string;
  action: string;
  sequence: number;
  why?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** Absent for a change of settings that was not scheduled. */
  about?: Record<string, unknown>;
  table?: { game: string; version: string; prizes: unknown[] };
};

type Fields = Record<string, unknown>;
type ActionDetails = { [of in 'page' | 'webhook']?: { before: Fields; after: Fields } } & {
  balance?: { before: number; after: number };
  changes?: Fields;
  sequence?: number;
};

export function changesIn({ action, sequence, about = {}, table, ...settings }: Action): string {
  if (action === 'opened') return 'The organization was created with the default settings.';
  const { page, webhook, balance, changes, sequence: of, ...others } = about as ActionDetails;
  const change = action === 'scheduled' ? sequence : of;
  const was = balance && { balance: balance.before };
  const is = balance && { balance: balance.after };
  const before: Fields = { ...settings.before, ...page?.before, ...webhook?.before, ...was };
  const after: Fields = { ...settings.after, ...changes, ...page?.after, ...webhook?.after, ...is };
  const ended = Object.keys(before).filter((name) => !(name in after));
  const changed = [...Object.entries(after), ...ended.map((name) => [name, undefined] as const)].map(
    ([name, value]) =>
      name in before
        ? `${labelOf(name)}: ${valueText(name, before[name])} → ${valueText(name, value)}`
        : `${labelOf(name)}: ${valueText(name, value)}`,
  );
  const put = table ? [`Table with ${table.prizes.length} prizes for ${labelOf(table.game)}`] : [];
  const concerned = Object.entries({ ...others, ...(change ? { change } : {}) }).map(
    ([name, value]) => `${labelOf(name)}: ${valueText(name, value)}`,
  );
  return [...put, ...changed, ...concerned].join('; ');
}
