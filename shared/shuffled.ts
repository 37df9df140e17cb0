export function shuffled<T>(items: T[]): T[] {
  const order = items.map((item) => ({ item, place: Math.random() }));
  return order.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
