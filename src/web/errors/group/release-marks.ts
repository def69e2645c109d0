import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { DayWithoutError } from "../../../shared/releases.ts";
import type { Mark } from "../../kit/charts/bar-chart.tsx";

type Group = {
  releases: readonly Pick<ErrorGroup["releases"][number], "release" | "first_seen_at">[];
};

/**
 * Marks on the days when a release first had the error, and quiet ones on the days when the project got releases without
 * it.
 */
export function releaseMarks(
  group: Group,
  without: readonly DayWithoutError[],
  days: readonly string[],
): Mark[] {
  const own = group.releases.map(({ release, first_seen_at }) => ({
    date: first_seen_at.slice(0, 10),
    name: release,
    label: `${release} first seen`,
  }));
  const quiet = without.map(({ day, releases_count, versions }) => {
    const rest = releases_count - versions.length;
    const names = versions.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
    return { date: day, name: names, label: `${names} without this error`, quiet: true };
  });
  return [...own, ...quiet].filter(({ date }) => days.includes(date));
}
