import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";

/** Releases that a folded entry names. */
const MAX_NAMED = 3;

/**
 * The history without redundant entries: a release that a regression names is left out, and further releases in a row that were
 * first seen within a day become one entry with the time of the first, whose `to` is like
 * "4.1.0, 4.1.1, 4.1.2 and 9 more releases".
 */
export function foldReleases(history: readonly ErrorGroupActivity[]): ErrorGroupActivity[] {
  const runs: { first: ErrorGroupActivity; releases: unknown[] }[] = [];
  for (const entry of history) {
    const last = runs.at(-1);
    if (entry.kind === "first_in_release" && last?.first.kind === "regressed" && last.first.to === entry.to)
      continue;
    if (
      entry.kind === "first_in_release" &&
      last?.first.kind === entry.kind &&
      isWithinDay(last.first, entry)
    )
      last.releases.push(entry.to);
    else runs.push({ first: entry, releases: [entry.to] });
  }
  return runs.map(({ first, releases }) =>
    releases.length === 1 ? first : { ...first, to: namesOf(releases) },
  );
}

const DAY_MS = 86_400_000;

const isWithinDay = (first: ErrorGroupActivity, later: ErrorGroupActivity) =>
  Date.parse(later.created_at) - Date.parse(first.created_at) < DAY_MS;

function namesOf(releases: unknown[]): string {
  const more = releases.length - MAX_NAMED;
  if (more < 2) return `${releases.slice(0, -1).join(", ")} and ${String(releases.at(-1))}`;
  return `${releases.slice(0, MAX_NAMED).join(", ")} and ${more} more releases`;
}
