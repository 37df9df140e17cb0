/** What has been asked for and need not be asked for again: at most so many answers, by the names they are known by. */
export function rememberPromises<T>(most: number) {
  const kept = new Map<string, Promise<T>>();
  /** The answer that is known by a name, or else what `ask` comes to, which is forgotten if it fails. */
  return async function remembered(name: string, ask: () => Promise<T>): Promise<T> {
    const known = kept.get(name);
    // An earlier request may have been frozen while it asked, and a failure of its is none of this one's.
    if (known) return known.catch(() => remembered(name, ask));
    const asked = ask();
    asked.catch(() => kept.delete(name));
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(name, asked);
    return asked;
  };
}
