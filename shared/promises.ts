/** Returns a function that caches the results of asynchronous calls by name, at most `capacity` of them. */
export function rememberPromises<T>(capacity: number) {
  const cache = new Map<string, Promise<T>>();
  /** Returns the cached result of a name, or calls `load`. Failures are not cached. */
  return async function remembered(name: string, load: () => Promise<T>): Promise<T> {
    const cached = cache.get(name);
    // The call may be from an earlier invocation that Lambda froze. Its failure must not fail this one.
    if (cached) return cached.catch(() => remembered(name, load));
    const pending = load();
    pending.catch(() => cache.delete(name));
    if (cache.size >= capacity) cache.delete(cache.keys().next().value!);
    cache.set(name, pending);
    return pending;
  };
}

/**
 * Makes a function that gathers items for some milliseconds and hands them to `act` together. Each call gets
 * its result.
 */
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
