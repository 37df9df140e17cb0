/** Returns a function that caches the results of asynchronous calls by name, at most `most` of them. */
export function rememberPromises<T>(most: number) {
  const kept = new Map<string, Promise<T>>();
  /** Returns the cached result of a name, or calls `ask`. Failures are not cached. */
  return async function remembered(name: string, ask: () => Promise<T>): Promise<T> {
    const known = kept.get(name);
    // The call may be from an earlier invocation that Lambda froze. Its failure must not fail this
    // invocation.
    if (known) return known.catch(() => remembered(name, ask));
    const asked = ask();
    asked.catch(() => kept.delete(name));
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(name, asked);
    return asked;
  };
}

/** Makes a function that gathers items for some milliseconds and hands them to `act` together. Each call gets its result. */
export function gathering<T, R>(act: (items: T[]) => Promise<R>, ms: number): (item: T) => Promise<R> {
  let waiting: T[] = [];
  let result: Promise<R> | undefined;
  return (item) => {
    waiting.push(item);
    result ??= new Promise((resolve) => setTimeout(resolve, ms)).then(() => {
      const items = waiting;
      waiting = [];
      result = undefined;
      return act(items);
    });
    return result;
  };
}
