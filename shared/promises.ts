/**
 * Returns a function that caches the results of asynchronous calls by name. Keeps at most `capacity` results
 * and evicts the oldest.
 */
export function rememberPromises<T>(capacity: number) {
  const cache = new Map<string, Promise<T>>();
  /** Returns the cached result for a name, or calls `load` and caches its result. Does not cache failures. */
  return async function remembered(name: string, load: () => Promise<T>): Promise<T> {
    const cached = cache.get(name);
    // If the cached call fails, calls `load` again. The cached call may come from an earlier Lambda
    // invocation that was frozen, and its failure must not make this invocation fail.
    if (cached) return cached.catch(() => remembered(name, load));
    const pending = load();
    pending.catch(() => cache.delete(name));
    if (cache.size >= capacity) cache.delete(cache.keys().next().value!);
    cache.set(name, pending);
    return pending;
  };
}

/**
 * Returns a function that batches calls. It waits `ms` milliseconds after the first call, and then passes the
 * items of all calls so far to `act` together. Each call returns the result of `act`.
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
