/** A queue whose groups take turns. */
type RoundRobin<T> = {
  push(group: string, item: T): void;
  shift(): T | undefined;
};

export function createRoundRobin<T>(): RoundRobin<T> {
  const groups = new Map<string, T[]>();
  return {
    push(group, item) {
      const waiting = groups.get(group);
      if (waiting) waiting.push(item);
      else groups.set(group, [item]);
    },
    shift() {
      for (const [group, waiting] of groups) {
        const item = waiting.shift();
        groups.delete(group);
        if (waiting.length > 0) groups.set(group, waiting);
        return item;
      }
      return undefined;
    },
  };
}
