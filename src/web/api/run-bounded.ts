export type Outcome<T> = { item: T; error?: unknown };

/** Runs a task for each item, at most `width` at a time, in order. What fails does not stop the others. */
export async function runBounded<T>(
  items: readonly T[],
  width: number,
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
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
  return outcomes;
}

/** "12 changed", "12 changed · 1 refused". */
export function summaryOf(outcomes: readonly Outcome<unknown>[], done: string): string {
  const refused = outcomes.filter((outcome) => "error" in outcome).length;
  const said = `${outcomes.length - refused} ${done}`;
  return refused === 0 ? said : `${said} · ${refused} refused`;
}
