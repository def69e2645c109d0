import type { Import } from "../../shared/imports.ts";
import { countOf } from "../kit/count-text.ts";

type Counts = NonNullable<Import["counts"]>;

const THINGS = [
  ["issues", "issue"],
  ["reports", "report"],
  ["error_groups", "error"],
  ["comments", "comment"],
] as const;

/** What an import creates: "3 issues, 12 comments". */
export function countsText(counts: Counts): string {
  const parts = THINGS.flatMap(([name, noun]) => (counts[name] === 0 ? [] : [countOf(counts[name], noun)]));
  return parts.length === 0 ? "nothing new" : parts.join(", ");
}
