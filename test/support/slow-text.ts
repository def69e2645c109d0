/** A text of `length` letters a, b and c without a period, on which patterns such as `a.{280}c$` need many states. */
export function slowText(length: number): string {
  let state = 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => "abc"[next() % 3]).join("");
}
