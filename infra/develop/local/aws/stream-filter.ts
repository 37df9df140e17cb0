/** A filter as Lambda's event sources have it: nested fields, each ending in a list of values, of which one matches. */
export type FilterPattern = { [field: string]: FilterPattern | readonly (string | number)[] };

/** Tells whether a value has all that a pattern wants. */
export function matches(pattern: FilterPattern, value: unknown): boolean {
  return Object.entries(pattern).every(([field, inner]) => {
    const own = (value as Record<string, unknown> | null | undefined)?.[field];
    return Array.isArray(inner) ? inner.includes(own) : matches(inner as FilterPattern, own);
  });
}
