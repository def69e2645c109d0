/** Maps a list with at most `limit` calls in flight, and keeps its order. The first error ends it. */
export async function mapConcurrently<T, R>(
  values: readonly T[],
  limit: number,
  map: (value: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < values.length) {
      const place = next++;
      results[place] = await map(values[place] as T);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
