/** A filter of a Lambda event source: nested fields, each with a list of allowed values. */
export type FilterPattern = { [field: string]: FilterPattern | readonly (string | number)[] };

/** Returns whether a value matches all fields of a pattern. */
export function matches(pattern: FilterPattern, value: unknown): boolean {
  return Object.entries(pattern).every(([field, inner]) => {
    const own = (value as Record<string, unknown> | null | undefined)?.[field];
    return Array.isArray(inner) ? inner.includes(own) : matches(inner as FilterPattern, own);
  });
}
