import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Choice } from "../../kit/choice.ts";

/** The environments of the groups, each once. */
export const environmentsOf = (groups: readonly ErrorGroupListItem[]): string[] =>
  distinct(groups.map(({ environment }) => environment));

/** The first and last releases of the groups, each once, the newest first. */
export const releasesOf = (groups: readonly ErrorGroupListItem[]): string[] =>
  distinct(groups.flatMap(({ release, last_release }) => [last_release, release])).toSorted(newestRelease);

/** Deduplicated before sorting: sorting the releases of 500 groups takes longer than rendering them. */
const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

const numeric = new Intl.Collator("en", { numeric: true });
const newestRelease = (a: string, b: string) => numeric.compare(b, a);

/** Values as choices of a filter. The chosen one is among them even if no error has it. */
export function filterChoices(
  values: readonly string[],
  chosen: string | undefined,
  labelOf: (value: string) => string = (value) => value,
): Choice<string>[] {
  const all = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  return all.filter((value) => value !== "").map((value) => ({ value, label: labelOf(value) }));
}
