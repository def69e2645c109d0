import { RecentTexts } from "./recent-texts.ts";

/**
 * Remembers what `compute` returns, up to this many characters of texts. An error is not remembered. `compute` must return the same for
 * the same text.
 */
export function cachedByText<Value>(
  maxCharacters: number,
  compute: (text: string) => Value,
): (text: string) => Value {
  const recent = new RecentTexts<{ value: Value }>(maxCharacters);
  return (text) => {
    let cached = recent.get(text);
    if (!cached) recent.set(text, (cached = { value: compute(text) }));
    return cached.value;
  };
}
