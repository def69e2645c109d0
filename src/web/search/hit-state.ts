import type { SearchHit } from "../../shared/search.ts";

/** The state of a search result in one word; empty for the default state. */
export function stateOf(hit: SearchHit): string {
  if (hit.status !== null) return ["Open", "Resolved", "Ignored"][hit.status] ?? "";
  if (hit.view === "promoted") return "Promoted";
  if (hit.view === "dismissed") return "Dismissed";
  if (hit.lane_kind === "done" || hit.state === "done") return "Done";
  return "";
}
