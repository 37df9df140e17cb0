/** An allowed value of a field, or a prefix that allowed values start with. */
type Wanted = string | number | { prefix: string };
/** A filter of a Lambda event source: nested fields, each with its list of allowed values. */
export type FilterPattern = { [field: string]: FilterPattern | readonly Wanted[] };

const isWanted = (value: unknown, wanted: Wanted) =>
  typeof wanted === 'object' ? String(value ?? '').startsWith(wanted.prefix) : value === wanted;

/** Returns whether a value matches all fields of a filter pattern. */
export function matches(pattern: FilterPattern, value: unknown): boolean {
  return Object.entries(pattern).every(([field, inner]) => {
    const own = (value as Record<string, unknown> | null | undefined)?.[field];
    return Array.isArray(inner)
      ? inner.some((wanted) => isWanted(own, wanted))
      : matches(inner as FilterPattern, own);
  });
}
