import { useMemo } from "react";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "../data/projects.ts";
import { SearchField } from "../kit/search-field.tsx";
import { Select } from "../kit/select.tsx";
import { useAllKnown } from "../data/error-groups.ts";
import type { ListSearch } from "./use-view.ts";
import { sortOf, SORTS, type View } from "./view.ts";

type Props = {
  project: Project | null;
  view: View;
  change: (changes: ListSearch) => void;
  groups: readonly ErrorGroupListItem[];
};

/** Search, project, environment, release and order. The options are the values of the newest groups. */
export function ErrorsFilters({ project, view, change, groups }: Props) {
  const projects = useProjects().filter(({ features }) => features.error_tracking);
  const known = useAllKnown(project?.id ?? null)?.data ?? groups;
  const environments = useMemo(() => distinct(known.map(({ environment }) => environment)), [known]);
  const releases = useMemo(
    () =>
      distinct(known.flatMap(({ release, last_release }) => [last_release, release])).toSorted(newestRelease),
    [known],
  );
  return (
    <search className="flex min-w-0 flex-wrap gap-2 pb-2 max-md:w-full">
      <SearchField
        label="Search errors"
        placeholder="Class or message"
        value={view.query ?? ""}
        onChange={(query) => change({ query })}
        className="w-52 max-w-full"
      />
      {project === null && (
        <Select
          aria-label="Project"
          className="w-36"
          value={view.project ?? ""}
          onChange={(event) => change({ project: event.target.value })}
          options={options(
            "All projects",
            projects.map(({ key }) => key),
            view.project,
            (key) => projects.find((one) => one.key === key)?.name ?? key,
          )}
        />
      )}
      <Select
        aria-label="Environment"
        className="w-40"
        value={view.environment ?? ""}
        onChange={(event) => change({ environment: event.target.value })}
        options={options("All environments", environments, view.environment)}
      />
      <Select
        aria-label="Release"
        className="w-32"
        value={view.release ?? ""}
        onChange={(event) => change({ release: event.target.value })}
        options={options("All releases", releases, view.release)}
      />
      <Select
        aria-label="Sort by"
        className="w-32"
        value={sortOf(view)}
        onChange={({ target: { value } }) => change({ sort: value === "last_seen" ? "" : value })}
        options={Object.entries(SORTS).map(([value, { label }]) => ({ value, label }))}
      />
    </search>
  );
}

/** Deduplicated before sorting: sorting the releases of 500 groups takes longer than rendering them. */
const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

function options(
  none: string,
  values: readonly string[],
  chosen: string | undefined,
  labelOf: (value: string) => string = (value) => value,
) {
  const choices = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  return [
    { value: "", label: none },
    ...choices.filter((value) => value !== "").map((value) => ({ value, label: labelOf(value) })),
  ];
}

const numeric = new Intl.Collator("en", { numeric: true });
const newestRelease = (a: string, b: string) => numeric.compare(b, a);
