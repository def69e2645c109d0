import type { Choice } from "../../kit/choice.ts";

/** Values as choices of a filter. The chosen one is among them even if no error has it. */
export function choices(
  values: readonly string[],
  chosen: string | undefined,
  labelOf: (value: string) => string = (value) => value,
): Choice<string>[] {
  const all = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  return all.filter((value) => value !== "").map((value) => ({ value, label: labelOf(value) }));
}
