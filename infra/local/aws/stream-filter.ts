/**
 * A filter as Lambda's event sources have it: nested fields, each ending in a list of which one has to match: a
 * value itself, `{ prefix }` or `{ exists }`.
 */
export type FilterPattern = { [field: string]: FilterPattern | Rule[] };
type Rule = string | number | boolean | null | { prefix: string } | { exists: boolean };

/** Tells whether one of the patterns matches; no patterns match everything. Throws for a rule not known here. */
export function matchesAny(patterns: FilterPattern[], value: unknown): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, value));
}

function matches(pattern: FilterPattern | Rule[], value: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((rule) => matchesRule(rule, value));
  return Object.entries(pattern).every(([field, inner]) =>
    matches(inner, (value as Record<string, unknown> | undefined | null)?.[field]),
  );
}

function matchesRule(rule: Rule, value: unknown): boolean {
  if (typeof rule !== 'object' || rule === null) return rule === value;
  if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
  if ('exists' in rule) return rule.exists === (value !== undefined);
  throw new Error(`no such filter rule here: ${JSON.stringify(rule)}`);
}
