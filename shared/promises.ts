/** What has been asked for and need not be asked for again: at most so many answers, by the names they are known by. */
export function rememberPromises<T>(most: number) {
  const kept = new Map<string, Promise<T>>();
  /** The answer that is known by a name, or is under way; else what `ask` comes to, which is forgotten if it fails. */
  return (name: string, ask: () => Promise<T>): Promise<T> => {
    const known = kept.get(name);
    if (known) return known;
    const asked = ask();
    asked.catch(() => kept.delete(name));
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(name, asked);
    return asked;
  };
}
