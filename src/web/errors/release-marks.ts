import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Release } from "../../shared/releases.ts";
import type { Mark } from "../kit/bar-chart.tsx";

type Group = {
  environment: string;
  releases: readonly Pick<ErrorGroup["releases"][number], "release" | "first_seen_at">[];
};
type Seen = Pick<Release, "version" | "first_seen_at"> & {
  deploys: readonly Pick<Release["deploys"][number], "environment" | "deployed_at">[];
};

/** Versions that the mark of a day names. */
const MOST_NAMED = 3;

/**
 * Marks on the days when a release first had the error, and quiet ones on the days when the project got releases without
 * it: when they were deployed to the error's environment, or first seen if no deploy of them is known.
 */
export function releaseMarks(group: Group, releases: readonly Seen[], days: readonly string[]): Mark[] {
  const own = group.releases.map(({ release, first_seen_at }) => ({
    date: first_seen_at.slice(0, 10),
    name: release,
    label: `${release} first seen`,
  }));
  const known = new Set(group.releases.map(({ release }) => release));
  const others = releases
    .filter(({ version }) => !known.has(version))
    .flatMap((release) =>
      daysOf(release, group.environment).map((date) => ({ date, version: release.version })),
    );
  const quiet = [...Map.groupBy(others, ({ date }) => date)].map(([date, some]) => {
    const versions = some.map(({ version }) => version);
    const rest = versions.length - MOST_NAMED;
    const names = versions.slice(0, MOST_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
    return { date, name: names, label: `${names} without this error`, quiet: true };
  });
  return [...own, ...quiet].filter(({ date }) => days.includes(date));
}

function daysOf({ first_seen_at, deploys }: Seen, environment: string): string[] {
  if (deploys.length === 0) return first_seen_at === null ? [] : [first_seen_at.slice(0, 10)];
  const here = deploys.filter((deploy) => deploy.environment === null || deploy.environment === environment);
  return [...new Set(here.map(({ deployed_at }) => deployed_at.slice(0, 10)))];
}
