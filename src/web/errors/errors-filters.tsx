import { useMemo } from "react";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "../data/projects.ts";
import { FilterSelect } from "../kit/filter-select.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { useAllKnown } from "../data/error-groups.ts";
import type { ListSearch } from "./use-view.ts";
import { AssigneeFilter } from "./assignee-filter.tsx";
import { choices } from "./filter-choices.ts";
import { MoreFilters } from "./more-filters.tsx";
import { SortMenu } from "./sort-menu.tsx";
import type { View } from "./view.ts";

type Props = {
  project: Project | null;
  view: View;
  change: (changes: ListSearch) => void;
  groups: readonly ErrorGroupListItem[];
};

/** Search, filters and order. The options are the values of the newest groups. */
export function ErrorsFilters({ project, view, change, groups }: Props) {
  const projects = useProjects().filter(({ features }) => features.error_tracking);
  const known = useAllKnown(project?.id ?? null) ?? groups;
  const environments = useMemo(() => distinct(known.map(({ environment }) => environment)), [known]);
  const releases = useMemo(
    () =>
      distinct(known.flatMap(({ release, last_release }) => [last_release, release])).toSorted(newestRelease),
    [known],
  );
  return (
    <search className="flex min-w-0 flex-wrap items-center gap-1.5 max-md:w-full">
      <SearchField
        label="Search errors"
        placeholder="Class or message"
        value={view.query ?? ""}
        onChange={(query) => change({ query })}
        className="h-7! w-44 max-w-full text-sm! max-sm:w-full"
      />
      <div className="relative flex min-w-0 flex-wrap items-center gap-1.5 max-sm:-m-1 max-sm:w-full max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:p-1">
        {project === null && (
          <FilterSelect
            label="Project"
            none="All projects"
            value={view.project ?? ""}
            onChange={(key) => change({ project: key })}
            choices={choices(
              projects.map(({ key }) => key),
              view.project,
              (key) => projects.find((one) => one.key === key)?.name ?? key,
            )}
          />
        )}
        <FilterSelect
          label="Environment"
          none="All environments"
          value={view.environment ?? ""}
          onChange={(environment) => change({ environment })}
          choices={choices(environments, view.environment)}
        />
        <FilterSelect
          label="Release"
          none="All releases"
          value={view.release ?? ""}
          onChange={(release) => change({ release })}
          choices={choices(releases, view.release)}
        />
        <AssigneeFilter project={project} view={view} change={change} />
        <MoreFilters view={view} change={change} releases={releases} />
        <SortMenu view={view} change={change} />
      </div>
    </search>
  );
}

/** Deduplicated before sorting: sorting the releases of 500 groups takes longer than rendering them. */
const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

const numeric = new Intl.Collator("en", { numeric: true });
const newestRelease = (a: string, b: string) => numeric.compare(b, a);
