import { useMemo } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { useProjects } from "../../data/projects/projects.ts";
import { LEVELS } from "../../../shared/levels.ts";
import type { Choice } from "../../kit/choice.ts";
import { FilterRow, type RowFilter } from "../../kit/filter-row.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { selectFilter } from "../../kit/select-filter.tsx";
import { ToolSearch } from "../../kit/tool-search.tsx";
import { useAllKnown } from "../../data/errors/error-groups.ts";
import { useAssigneeChoices } from "../../issues/assignee-choices.tsx";
import { environmentsOf, filterChoices, releasesOf } from "./filter-choices.ts";
import { SortMenu } from "./sort-menu.tsx";
import { TagFilter } from "./tag-filter.tsx";
import type { ListSearch, View } from "../view.ts";

type Props = {
  project: Project | null;
  view: View;
  change: (changes: ListSearch) => void;
  groups: readonly ErrorGroupListItem[];
};

/** Search, filters and order. The options are the values of the newest groups. */
export function ErrorsFilters({ project, view, change, groups }: Props) {
  const filters = useFilters({ project, view, change, groups });
  return (
    <>
      <ToolSearch>
        <SearchField
          label="Search errors"
          placeholder="Message, route, file"
          value={view.query ?? ""}
          onChange={(query) => change({ query })}
        />
      </ToolSearch>
      <div role="group" aria-label="Filters" className="contents">
        <FilterRow filters={filters} />
      </div>
      <SortMenu view={view} change={change} />
    </>
  );
}

type SelectName =
  | "project"
  | "environment"
  | "release"
  | "assignee"
  | "level"
  | "regressed"
  | "first_release";
type SelectOptions = { none: string; choices: Choice<string>[]; isRare?: boolean };

function useFilters({ project, view, change, groups }: Props): RowFilter[] {
  const selectOf = (name: SelectName, label: string, options: SelectOptions) =>
    selectFilter({
      ...options,
      name,
      label,
      value: view[name] ?? "",
      onChange: (value) => change({ [name]: value }),
    });
  const projects = useProjects().filter(({ features }) => features.error_tracking);
  const known = useAllKnown(project?.id ?? null) ?? groups;
  const environments = filterChoices(
    useMemo(() => environmentsOf(known), [known]),
    view.environment,
  );
  const releases = useMemo(() => releasesOf(known), [known]);
  const assignees = useAssigneeChoices(project?.id ?? null, view.assignee);
  const projectChoices = filterChoices(
    projects.map(({ key }) => key),
    view.project,
    (key) => projects.find((one) => one.key === key)?.name ?? key,
  );
  const allReleases = (value: string | undefined) => ({
    none: "All releases",
    choices: filterChoices(releases, value),
  });
  const levels = { none: "All levels", choices: filterChoices(LEVELS, view.level, capitalized) };
  return [
    ...(project === null
      ? [selectOf("project", "Project", { none: "All projects", choices: projectChoices })]
      : []),
    selectOf("environment", "Environment", { none: "All environments", choices: environments }),
    selectOf("release", "Release", allReleases(view.release)),
    selectOf("assignee", "Assignee", { none: "Everyone", choices: assignees }),
    selectOf("level", "Level", { ...levels, isRare: true }),
    selectOf("regressed", "Regression", { none: "All errors", choices: REGRESSED, isRare: true }),
    selectOf("first_release", "First release", { ...allReleases(view.first_release), isRare: true }),
    {
      name: "tag",
      label: "Tag",
      isOn: Boolean(view.tag),
      isRare: true,
      renderPicker: (opening) => (
        <TagFilter
          {...opening}
          projectId={project?.id ?? projects.find(({ key }) => key === view.project)?.id ?? null}
          value={view.tag ?? ""}
          onChange={(tag) => change({ tag })}
        />
      ),
    },
  ];
}

/** The server's filter leaves out groups that are not open when it selects the regressed ones. */
const REGRESSED = [
  { value: "true", label: "Regressed" },
  { value: "false", label: "Not regressed" },
];

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
