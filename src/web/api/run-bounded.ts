export type Outcome<T> = { item: T; error?: unknown };

/** Runs a task for each item, at most `limit` at a time, starting in order. A failure does not stop the others. */
export async function runBounded<T>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<unknown>,
): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as T;
      try {
        await task(item);
        outcomes[index] = { item };
      } catch (error) {
        outcomes[index] = { item, error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return outcomes;
}

/** "12 changed", "12 changed · 1 failed". */
export function summaryOf(outcomes: readonly Outcome<unknown>[], done: string): string {
  const failed = outcomes.filter((outcome) => "error" in outcome).length;
  const summary = `${outcomes.length - failed} ${done}`;
  return failed === 0 ? summary : `${summary} · ${failed} failed`;
}
