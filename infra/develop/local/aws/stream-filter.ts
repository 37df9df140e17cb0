type Condition = string | number | { prefix: string };
/** A filter of a Lambda event source: nested fields, each with its list of allowed values. */
export type FilterPattern = { [field: string]: FilterPattern | readonly Condition[] };

const meetsCondition = (value: unknown, condition: Condition) =>
  typeof condition === 'object' ? String(value ?? '').startsWith(condition.prefix) : value === condition;

export function matchesFilter(pattern: FilterPattern, value: unknown): boolean {
  return Object.entries(pattern).every(([field, inner]) => {
    const own = (value as Record<string, unknown> | null | undefined)?.[field];
    return Array.isArray(inner)
      ? inner.some((wanted) => meetsCondition(own, wanted))
      : matchesFilter(inner as FilterPattern, own);
  });
}
