/** The list with one item moved to another index. */
export function movedTo<T>(items: readonly T[], is: (item: T) => boolean, index: number): T[] {
  const from = items.findIndex(is);
  if (from === -1) return [...items];
  const [item] = items.slice(from, from + 1);
  return items.toSpliced(from, 1).toSpliced(index, 0, item as T);
}
