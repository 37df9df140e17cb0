/** Makes a cache of at most `most` promises by name. */
export function rememberPromises<T>(most: number) {
  const kept = new Map<string, Promise<T>>();
  /** Returns the cached result of a name, or calls `ask`. Failures are not cached. */
  return async function remembered(name: string, ask: () => Promise<T>): Promise<T> {
    const known = kept.get(name);
    // An earlier invocation may have been frozen while it waited; its failure must not fail this one.
    if (known) return known.catch(() => remembered(name, ask));
    const asked = ask();
    asked.catch(() => kept.delete(name));
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(name, asked);
    return asked;
  };
}
