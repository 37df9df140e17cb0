/** Returns a function that caches asynchronous results by name and evicts the oldest beyond `capacity`. */
export function promiseCache<T>(capacity: number) {
  const cache = new Map<string, Promise<T>>();
  /** Returns the cached result, or loads it. Failures are not cached. */
  return async (name: string, load: () => Promise<T>): Promise<T> => {
    const cached = cache.get(name);
    // Calls `load` again: Lambda may have frozen the process during the failed call. All callers share this call, so
    // that they do not fail one after another.
    if (cached) return cached.catch(() => cache.get(name) ?? start(name, load));
    return start(name, load);
  };

  function start(name: string, load: () => Promise<T>): Promise<T> {
    const pending = load();
    pending.catch(() => {
      if (cache.get(name) === pending) cache.delete(name);
    });
    if (cache.size >= capacity) cache.delete(cache.keys().next().value!);
    cache.set(name, pending);
    return pending;
  }
}

/** Returns a function that gathers items for `ms` milliseconds and then calls `act` once for all. */
export function batched<T, R>(act: (items: T[]) => Promise<R>, ms: number): (item: T) => Promise<R> {
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

/**
 * Calls `work` for each item, `limit` at a time. Rejects at the first error; the other workers go on with all items.
 */
export async function concurrently<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
